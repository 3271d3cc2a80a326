"""Before anybody is authenticated: limits on bytes, time and number, and back-off for addresses that fail."""

import os
import socket
import struct
import time

import pytest

from mgpipe.client import connect, errors
from mgpipe.control import endpoints
from mgpipe.server.doorman import ADDRESSES, FORGET_S, FORGIVEN, LONGEST_WAIT_S, PATIENCE_S, WAITING, BackOff, overdue

TOKEN = "0123456789abcdef"


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_an_address_waits_twice_as_long_after_each_failure(clock):
    back_off = BackOff(clock)
    for _ in range(FORGIVEN):
        back_off.failed("10.0.0.1")
        assert back_off.wait_s("10.0.0.1") == 0
    waits = []
    for _ in range(12):
        back_off.failed("10.0.0.1")
        waits.append(back_off.wait_s("10.0.0.1"))
    assert waits[:5] == [1, 2, 4, 8, 16] and waits[-1] == LONGEST_WAIT_S
    assert back_off.wait_s("10.0.0.2") == 0


def test_a_wait_ends_and_a_success_ends_the_count(clock):
    back_off = BackOff(clock)
    for _ in range(FORGIVEN + 2):
        back_off.failed("10.0.0.1")
    clock.now += 1.5
    assert back_off.wait_s("10.0.0.1") == 0.5
    clock.now += 0.5
    assert back_off.wait_s("10.0.0.1") == 0
    back_off.succeeded("10.0.0.1")
    back_off.failed("10.0.0.1")
    assert back_off.wait_s("10.0.0.1") == 0


def test_old_failures_are_forgotten(clock):
    back_off = BackOff(clock)
    for _ in range(20):
        back_off.failed("10.0.0.1")
    clock.now += FORGET_S + 1
    back_off.failed("10.0.0.1")
    assert back_off.wait_s("10.0.0.1") == 0


def test_the_table_of_addresses_is_bounded(clock):
    back_off = BackOff(clock)
    for _ in range(FORGIVEN + 1):
        back_off.failed("192.0.2.1")
    for n in range(3 * ADDRESSES):
        clock.now += 0.001
        back_off.failed(f"10.{n >> 16}.{n >> 8 & 255}.{n & 255}")
        back_off.failed("192.0.2.1")        # who goes on failing is not pushed out by the others
    assert len(back_off.failures) == ADDRESSES
    assert back_off.wait_s("192.0.2.1") == LONGEST_WAIT_S


def test_the_addresses_of_one_owner_count_as_one(clock):
    back_off = BackOff(clock)
    for n in range(FORGIVEN + 1):
        back_off.failed(f"2001:db8::{n:x}")
    assert back_off.wait_s("2001:db8::ffff") == 1 and back_off.wait_s("2001:db8:0:1::1") == 0
    for _ in range(FORGIVEN + 1):
        back_off.failed("::ffff:192.0.2.7")
    assert back_off.wait_s("192.0.2.7") == 1


def test_who_does_not_say_who_it_is_makes_room_for_a_newcomer():
    assert overdue([(0.0, 1)], 100.0) == (False, None)
    waiting = [(float(n), n) for n in range(WAITING)]
    assert overdue(reversed(waiting), PATIENCE_S / 2) == (True, None)
    assert overdue(reversed(waiting), PATIENCE_S * 1.5) == (True, 0)


@pytest.fixture
def guarded(serve, tmp_path):
    """A server that asks for a token, and the file with it."""
    path = tmp_path / "token"
    path.write_text(TOKEN)
    return serve("tcp", "--token-file", str(path)), str(path)


def dial(server) -> socket.socket:
    stream = endpoints.dial(endpoints.parse(server.address))
    stream.settimeout(10)
    return stream


def test_wrong_tokens_are_soon_not_listened_to(guarded, tmp_path):
    server, token_file = guarded
    wrong = tmp_path / "wrong"
    wrong.write_text(TOKEN[::-1])
    for _ in range(FORGIVEN + 1):
        with pytest.raises(errors.Unauthenticated):
            connect.connect(server=server.address, driver="null", token_file=str(wrong))
    deadline = time.monotonic() + 5
    while True:
        try:
            connect.connect(server=server.address, driver="null", token_file=token_file)
            assert time.monotonic() < deadline, "it never backed off"
        except errors.ServerFailed as error:
            assert "hung up" in str(error) or "before the session stood" in str(error)
            break
        connect.close_all()
    time.sleep(1.1)         # the first wait is over
    assert connect.connect(server=server.address, driver="null", token_file=token_file).ping()


def test_garbage_is_soon_not_listened_to(guarded):
    server, _ = guarded
    answers = []
    for n in range(40):
        with dial(server) as stranger:
            stranger.sendall(os.urandom(64))
            try:
                answers.append(len(stranger.recv(4096)))
            except ConnectionError:
                answers.append(0)
            if answers[-1] == 0:
                break
    assert answers[0] > 0 and answers[-1] == 0, answers     # first a refusal in words, then nothing


def test_probes_that_say_nothing_are_no_failures(guarded):
    server, token_file = guarded
    for _ in range(3 * FORGIVEN):
        dial(server).close()
    time.sleep(0.2)
    assert connect.connect(server=server.address, driver="null", token_file=token_file).ping()


def test_a_hello_must_be_there_in_time_however_slowly_it_drips(serve):
    server = serve("tcp")
    started = time.monotonic()
    with dial(server) as stranger:
        try:
            for byte in b"MGPC\xff\xff\x00\x00" + bytes(100):
                stranger.sendall(bytes([byte]))
                time.sleep(0.2)
        except OSError:
            pass
        else:
            pytest.fail("it listened all the while")
    assert 1.5 < time.monotonic() - started < 5
    server.says("no whole Hello came within 2 s")


def test_a_hello_is_no_longer_than_it_need_be(serve):
    with dial(serve("tcp")) as stranger:
        stranger.sendall(struct.pack("<II", 0x4350474D, 1 << 20))
        assert b"at most 65536 are allowed" in stranger.recv(4096)


def test_more_strangers_than_there_may_be_keep_no_program_out(serve):
    server = serve("tcp")
    strangers = [dial(server) for _ in range(2 * WAITING)]
    started = time.monotonic()
    assert connect.connect(server=server.address, driver="null").ping()
    assert time.monotonic() - started < 10
    assert len(server.sessions()) < 2 * WAITING      # those that are ending, too
    for stranger in strangers:
        stranger.close()


def test_a_join_leads_to_sessions_and_to_no_other_programs_socket(serve):
    from mgpipe.control.framing import Connection
    from mgpipe.control.messages import Join

    name = f"somebody-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as other:
        other.bind("\0" + name)
        other.listen(1)
        other.settimeout(1.0)
        stranger = Connection(dial(serve("tcp")))
        stranger.send(Join(session=name, nonce=bytes(16)))
        with pytest.raises(TimeoutError):
            other.accept()
        stranger.close()
