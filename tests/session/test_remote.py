"""Sessions with a server that somebody else runs: addresses, tokens, data planes, and either side's end."""

import json
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from mgpipe.client import connect, errors, servers
from mgpipe.control import endpoints
from mgpipe.control.framing import Connection
from mgpipe.control.messages import Hello, Join

from serving import Server, make_certificate

from .conftest import PROMPTLY_S, alive, eventually, freeze
from .proxy import Proxy

TOKEN = "0123456789abcdef"


@pytest.fixture
def serve(nothing_left, serve):
    """Once these servers have ended, nothing of their sessions is left."""
    return serve


def open_session(server: Server, **options):
    return connect.connect(server=server.address, driver="null", **options)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory) -> Path:
    return make_certificate(tmp_path_factory.mktemp("tls"))


@pytest.mark.parametrize("data", ["stream", "auto"])
def test_an_encrypted_session_is_one_like_any_other(serve, certificate, data):
    server = serve("tls://127.0.0.1:0", "--tls-cert", str(certificate))
    handle = open_session(server, data=data, tls_pin=server.pin)
    handle.exercise(20_000)
    assert handle.ping() and handle.topology == "remote"
    assert handle.link == ("encrypted stream" if data == "stream" else "shared memory")
    os.kill(handle.server_pid, signal.SIGKILL)
    assert not handle.ping()


def test_a_relay_that_is_killed_is_a_lost_session_on_both_sides(serve, certificate, capfd):
    server = serve("tls://127.0.0.1:0", "--tls-cert", str(certificate))
    handle = open_session(server, data="stream", tls_pin=server.pin)
    handle.exercise(1000)
    for relay in list(servers.relays):
        os.kill(relay, signal.SIGKILL)
    started = time.monotonic()
    assert not handle.ping()
    assert time.monotonic() - started < PROMPTLY_S
    assert eventually(lambda: not server.sessions(), 5)


def test_a_certificate_that_nobody_signed_or_pinned_is_not_trusted(serve, certificate):
    server = serve("tls://127.0.0.1:0", "--tls-cert", str(certificate))
    with pytest.raises(errors.Untrusted, match="pin it"):
        open_session(server)
    with pytest.raises(errors.Untrusted, match="not the pinned sha256:00"):
        open_session(server, tls_pin="sha256:00")


def test_a_plain_client_and_an_encrypted_server_part_at_once(serve, certificate):
    server = serve("tls://127.0.0.1:0", "--tls-cert", str(certificate))
    started = time.monotonic()
    with pytest.raises(errors.ServerFailed):
        connect.connect(server=server.address.replace("tls", "tcp"), driver="null")
    assert time.monotonic() - started < 5


@pytest.mark.parametrize(("kind", "data", "link"), [
    ("unix", "auto", "shared memory"), ("unix", "shm", "shared memory"), ("unix", "stream", "stream"),
    ("tcp", "auto", "shared memory"), ("tcp", "shm", "shared memory"), ("tcp", "stream", "stream"),
])
def test_records_are_applied_and_answered(serve, kind, data, link):
    handle = open_session(serve(kind), data=data)
    assert (handle.topology, handle.link) == ("remote", link)
    handle.exercise(20_000)
    assert handle.ping()
    assert handle.stats()["records"] >= 40_000
    assert not handle.lost


def test_a_frame_over_a_stream_is_told_in_bytes_and_round_trips(serve, tmp_path):
    handle = open_session(serve("tcp"), data="stream", stats=str(tmp_path / "stats.json"))
    handle.exercise(10)
    handle.end_frame()
    before = handle.stats()
    for _ in range(100):
        handle.exercise(10)
        handle.end_frame()
    frame = {name: (handle.stats()[name] - before[name]) / 100 for name in ("records", "record_bytes", "sent_bytes", "round_trips")}
    assert frame["records"] == 20 and frame["round_trips"] == 0
    assert frame["record_bytes"] < frame["sent_bytes"] < frame["record_bytes"] + 64     # a header or two
    connect.close_all()
    told = json.loads((tmp_path / "stats.json").read_text())
    assert told["frames"] == 101 and told["per_frame"]["sent_bytes"] == round(told["sent_bytes"] / 101, 2)


def test_many_threads_wait_on_one_stream(serve):
    """Whoever reads the socket reads for all: no answer may be left lying for somebody who sleeps."""
    handle = open_session(serve("tcp"), data="stream")
    answers = []

    def ask():
        handle.thread_attached()
        answers.extend(handle.ping() for _ in range(200))
        handle.thread_detached()

    threads = [threading.Thread(target=ask) for _ in range(6)]
    started = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert answers == [True] * 1200
    assert time.monotonic() - started < 20


def test_a_client_that_ends_takes_its_session_with_it(serve):
    server = serve("tcp")
    handle = open_session(server, data="stream")
    assert server.sessions() == [handle.server_pid]
    handle.exercise(100)
    connect.close_all()
    assert eventually(lambda: not server.sessions(), 3)


@pytest.mark.parametrize("data", ["stream", "shm"])
def test_a_session_process_killed_is_a_lost_session_and_no_more(serve, capfd, data):
    server = serve("tcp")
    handle = open_session(server, data=data)
    os.kill(handle.server_pid, signal.SIGKILL)
    started = time.monotonic()
    assert not handle.ping()
    assert time.monotonic() - started < PROMPTLY_S
    assert f"the render server at {server.address} is gone" in handle.loss
    again = open_session(server, data=data)
    assert again.ping() and again.server_pid != handle.server_pid


def test_a_frozen_session_is_waited_for_and_goes_on(serve):
    handle = open_session(serve("tcp"), data="stream")
    freeze(handle.server_pid)
    threading.Timer(0.5, os.kill, (handle.server_pid, signal.SIGCONT)).start()
    started = time.monotonic()
    handle.exercise(200_000)            # more than the socket takes
    assert handle.ping()
    assert time.monotonic() - started > 0.4


def test_a_bad_record_latches_one_session_by_name(serve, capfd):
    server = serve("tcp")
    bad, good = open_session(server, data="stream"), open_session(server, data="stream", frames_in_flight=4)
    bad.emit(struct.pack("<HHI", 0xFFF0, 0, 8))
    assert not bad.ping()
    assert "UnknownRecord" in bad.loss or "ended this session" in bad.loss
    assert good.ping()


def test_a_token_is_asked_for_and_compared(serve, tmp_path):
    path = tmp_path / "token"
    path.write_text(TOKEN + "\n")
    server = serve("tcp", "--token-file", str(path))
    with pytest.raises(errors.Unauthenticated, match="asks for a token"):
        open_session(server)
    wrong = tmp_path / "wrong"
    wrong.write_text(TOKEN.upper())
    with pytest.raises(errors.Unauthenticated, match="not the server's"):
        open_session(server, token_file=str(wrong))
    assert open_session(server, token_file=str(path)).ping()


def refused_to_start(*arguments: str, **environment: str) -> str:
    clean = {k: v for k, v in os.environ.items() if not k.startswith("MGPIPE_")} | environment
    result = subprocess.run([sys.executable, "-m", "mgpipe", "serve", *arguments], capture_output=True, text=True, env=clean,
                            timeout=20)
    assert result.returncode != 0 and result.stdout == ""
    return result.stderr


def test_what_keeps_a_server_from_starting_is_said_in_a_sentence(tmp_path):
    assert "clients must show a token" in refused_to_start("--listen", "tcp://0.0.0.0:0")
    assert "at least 16 are needed" in refused_to_start("--listen", "tcp://0.0.0.0:0", MGPIPE_TOKEN="short")
    assert "is no address" in refused_to_start("--listen", "localhost:7400")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert "Address already in use" in refused_to_start("--listen", f"tcp://127.0.0.1:{taken.getsockname()[1]}")


def test_nobody_at_an_address_is_said_in_a_sentence(tmp_path):
    with pytest.raises(errors.NoServer, match="no render server answers at tcp://127.0.0.1:1 .*mgpipe serve"):
        connect.connect(server="tcp://127.0.0.1:1", driver="null")
    with pytest.raises(errors.NoServer, match="No such file"):
        connect.connect(server=f"unix:{tmp_path}/nobody", driver="null")
    with pytest.raises(errors.ServerFailed, match="is no address"):
        connect.connect(server="gpu:7400", driver="null")


def test_a_data_plane_that_cannot_be_had_is_refused_by_name(serve):
    with pytest.raises(errors.ServerFailed, match="data_plane"):
        open_session(serve("tcp", "--data", "stream"), data="shm")


def test_a_unix_path_is_for_its_owner_and_taken_over_from_the_dead(serve, tmp_path):
    first = serve("unix")
    path = Path(first.address.removeprefix("unix:"))
    assert path.stat().st_mode & 0o077 == 0
    first.process.kill()                # leaves its path behind
    first.process.wait()
    assert open_session(serve("unix")).ping()


HOSTILE = {
    "nothing": b"",
    "garbage": random.Random(1).randbytes(4096),
    "a huge frame": struct.pack("<II", 0x4350474D, 1 << 30),
    "half a frame": struct.pack("<II", 0x4350474D, 100) + b"x",
}


@pytest.mark.parametrize("sent", HOSTILE.values(), ids=HOSTILE)
def test_strangers_do_not_disturb_a_session(serve, sent):
    server = serve("tcp")
    handle = open_session(server, data="stream")
    strangers = [endpoints.dial(endpoints.parse(server.address)) for _ in range(8)]
    for stranger in strangers:
        stranger.sendall(sent)
    assert handle.ping()
    for stranger in strangers:
        stranger.close()
    assert eventually(lambda: server.sessions() == [handle.server_pid], 5)


def test_a_join_with_the_wrong_nonce_is_no_data_plane(serve):
    """The nonce, not the name, is what lets a second connection in."""
    from mgpipe.client.session import identity
    from mgpipe.control.messages import REVISION, Offer

    server = serve("tcp")
    version, fingerprint = identity()
    control = Connection(endpoints.dial(endpoints.parse(server.address)))
    control.send(Hello(revision=REVISION, fingerprint=fingerprint, version=version, nonce=bytes(16), pid=1, driver="null",
                       data="stream"))
    offer, _ = control.receive(5)
    assert isinstance(offer, Offer)
    thief = Connection(endpoints.dial(endpoints.parse(server.address)))
    thief.send(Join(session=offer.session, nonce=bytes(16)))
    thief.stream.settimeout(5)
    assert thief.stream.recv(1) == b""      # hung up, and nothing else
    thief.close()
    control.close()


@pytest.mark.parametrize("frame", [
    struct.pack("<HHIQ", 9, 0, 8, 0) + bytes(8),                        # no such kind
    struct.pack("<HHIQ", 1, 0, 7, 0) + bytes(8),                        # records of 7 bytes
    struct.pack("<HHIQ", 1, 0, 0, 0),                                   # no records
    struct.pack("<HHIQ", 1, 0, 8, 0) + struct.pack("<HHI", 1, 0, 16),   # a record longer than its frame
    struct.pack("<HHIQ", 1, 0, 8, 0) + struct.pack("<HHI", 0, 0, 8),    # padding, which is no record
    struct.pack("<HHIQ", 2, 1, 1 << 30, 0),                             # bytes without end
    struct.pack("<HHIQ", 2, 1, 64, 1 << 62) + bytes(64),                # bytes far outside
    struct.pack("<HHIQ", 2, 3, 64, 0) + bytes(64),                      # bytes into the answers
    struct.pack("<HHIQ", 2, 65535, 64, 0) + bytes(64),                  # bytes into nowhere
    struct.pack("<HHIQ", 4, 0, 40, 1) + bytes(40),                      # an answer, from a client
    struct.pack("<HHIQQ", 6, 1, 8, 0, 1 << 63),                         # pages given back far outside
    struct.pack("<HHIQQ", 6, 1, 8, 1 << 63, 65536),                     # and from there
    struct.pack("<HHIQQ", 6, 1, 8, 4096, 65536),                        # parts of pages
    struct.pack("<HHIQQ", 6, 3, 8, 0, 65536),                           # of the answers
    struct.pack("<HHIQQ", 6, 1, 16, 0, 65536),                          # and more
], ids=["kind", "7 bytes", "empty", "overlong", "padding", "endless", "outside", "reply segment", "no segment", "answer",
        "forget without end", "forget outside", "forget parts", "forget answers", "forget more"])
def test_a_frame_that_cannot_be_ends_its_session_by_name(serve, frame, capfd):
    server = serve("tcp")
    good = open_session(server, data="stream")
    bad = open_session(server, data="stream", frames_in_flight=5)
    os.write(bad.data_socket, frame)
    assert not bad.ping()
    assert "RingCorrupt" in bad.loss
    assert good.ping()


def test_a_full_server_refuses_in_words_and_takes_the_next_when_one_ended(serve):
    server = serve("tcp", "--max-sessions", "1")
    first = open_session(server)
    with pytest.raises(errors.ServerFailed, match="as many sessions as it may"):
        open_session(server, frames_in_flight=4)
    assert first.ping()
    connect.close_all()
    assert eventually(lambda: not server.sessions(), 3)
    assert open_session(server).ping()


def test_a_server_told_to_end_lets_its_sessions_end_first(serve):
    server = serve("tcp")
    handle = open_session(server, data="stream")
    server.process.terminate()
    server.says("waiting for 1 to end")
    with pytest.raises(errors.NoServer):
        open_session(server, frames_in_flight=4)
    assert handle.ping() and server.process.poll() is None
    connect.close_all()
    assert server.process.wait(5) == 0


def test_a_server_without_sessions_ends_when_told(serve, tmp_path):
    server = serve("unix")
    server.process.terminate()
    assert server.process.wait(5) == 0
    assert not Path(server.address.removeprefix("unix:")).exists()


def test_a_server_told_twice_ends_its_sessions(serve, capfd):
    server = serve("tcp")
    handle = open_session(server, data="stream")
    server.process.terminate()
    server.says("waiting for")
    server.process.terminate()
    assert server.process.wait(5) == 0
    assert eventually(lambda: not alive(handle.server_pid))
    assert not handle.ping()


def test_a_token_is_read_again_on_sighup(serve, tmp_path):
    path = tmp_path / "token"
    path.write_text(TOKEN)
    server = serve("tcp", "--token-file", str(path))
    old = open_session(server, token_file=str(path))
    changed = tmp_path / "changed"
    changed.write_text(TOKEN[::-1])
    path.write_text(TOKEN[::-1])
    server.process.send_signal(signal.SIGHUP)
    server.says("read the token")
    assert open_session(server, token_file=str(changed)).ping() and old.ping()
    path.write_text("short")
    server.process.send_signal(signal.SIGHUP)
    server.says("kept the old token")
    assert open_session(server, token_file=str(changed), frames_in_flight=4).ping()


def test_a_driver_that_is_too_large_from_its_start_is_refused_by_name(serve):
    server = serve("tcp", "--session-memory", "8")      # less than a Python takes
    with pytest.raises(errors.DriverFailed, match="MemoryLimit: the session holds"):
        open_session(server, data="stream")
    server.says("MemoryLimit: the session holds")


def test_a_session_that_says_nothing_for_long_ends_by_name(serve, capfd):
    server = serve("tcp", "--idle-timeout", "1")
    handle = open_session(server, data="stream")
    assert eventually(lambda: not server.sessions(), 6)
    assert not handle.ping()
    assert "IdleLimit: nothing came for 1 s" in handle.loss
    server.says("IdleLimit: nothing came for 1 s")


def test_a_session_process_may_do_no_more_than_draw(serve):
    handle = open_session(serve("tcp"))
    status = Path(f"/proc/{handle.server_pid}/status").read_text()
    assert "NoNewPrivs:\t1" in status and "Seccomp:\t2" in status
    for task in Path(f"/proc/{handle.server_pid}/task").iterdir():
        assert "Seccomp:\t2" in (task / "status").read_text()


def test_the_filter_denies_what_it_names_and_allows_the_rest():
    result = subprocess.run([sys.executable, "-c", """
import os, socket
from mgpipe.server.confine import confine
assert confine() == ""
for attempt in (lambda: os.execv("/bin/true", ["true"]), lambda: socket.create_connection(("127.0.0.1", 9))):
    try:
        attempt()
    except PermissionError:
        continue
    raise AssertionError("was allowed")
assert open("/proc/self/status").read() and os.getpid()
"""], capture_output=True, text=True, timeout=30)
    assert result.returncode == 0, result.stderr


@pytest.fixture
def through(serve):
    """A server behind a bad network: `proxy, server = through(delay_s=0.03)`."""
    proxies = []

    def start(**network):
        server = serve("tcp")
        endpoint = endpoints.parse(server.address)
        proxies.append(Proxy((endpoint.host, endpoint.port), **network))
        return proxies[-1], server

    yield start
    connect.close_all()
    for proxy in proxies:
        proxy.close()


def test_a_slow_link_is_only_slow(through):
    proxy, _ = through(delay_s=0.03, bytes_per_s=20e6 / 8)
    handle = connect.connect(server=proxy.address, driver="null", data="stream")
    started = time.monotonic()
    handle.exercise(20_000)         # 640 KB: a quarter of a second of this link
    assert handle.ping()
    assert 0.06 < time.monotonic() - started < 10


def test_a_link_that_is_cut_for_a_while_is_waited_for(through):
    proxy, _ = through()
    handle = connect.connect(server=proxy.address, driver="null", data="stream")
    proxy.cut = True
    threading.Timer(1.0, setattr, (proxy, "cut", False)).start()
    started = time.monotonic()
    handle.exercise(100_000)
    assert handle.ping()
    assert time.monotonic() - started > 0.9


def test_a_connection_that_breaks_is_a_lost_session_at_once(through, capfd):
    proxy, server = through()
    handle = connect.connect(server=proxy.address, driver="null", data="stream")
    proxy.break_connections()
    started = time.monotonic()
    assert not handle.ping()
    assert time.monotonic() - started < PROMPTLY_S
    assert "is gone" in handle.loss
    assert eventually(lambda: not server.sessions(), 3)


def test_a_server_that_dies_between_its_welcome_and_its_first_answer_is_said_so(nothing_left, tmp_path, capfd):
    """The session owns its descriptors by then: closing them twice would close somebody else's."""
    from mgpipe.client.session import identity
    from mgpipe.control.messages import Welcome
    from mgpipe.server import session

    listener = endpoints.listen(endpoints.Endpoint("unix", f"{tmp_path}/dying.sock"))

    def welcome_and_die():
        control = Connection(listener.accept()[0])
        hello, (client,) = control.receive(5)
        segments = session.plan_segments(hello)
        descriptors = [os.pidfd_open(os.getpid()), *session.make_memory(segments)]
        control.send(Welcome(server_pid=1, version=identity()[0], driver="null", link="shared memory", segments=segments),
                     tuple(descriptors))
        control.close()
        session.close_all([client, *descriptors])

    server = threading.Thread(target=welcome_and_die)
    server.start()
    try:
        with pytest.raises(errors.ServerFailed, match="did not tell its capabilities"):
            connect.connect(server=f"unix:{tmp_path}/dying.sock", driver="null")
    finally:
        server.join()
        listener.close()
