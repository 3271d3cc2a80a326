"""What a newcomer meets who starts a server and a program on it: help, and sentences that say what to do."""

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from mgpipe.client import connect, errors
from mgpipe.control import endpoints
from mgpipe.control.framing import Connection
from mgpipe.control.messages import REVISION, Hello, Refuse

ROOT = Path(__file__).parents[2]
TOKEN = "0123456789abcdef"


def mgpipe(*arguments: str, **environment: str) -> subprocess.CompletedProcess:
    clean = {k: v for k, v in os.environ.items() if not k.startswith("MGPIPE_")} | environment
    return subprocess.run([sys.executable, "-m", "mgpipe", *arguments], capture_output=True, text=True, env=clean, timeout=60)


def test_the_help_of_serve_names_every_flag_that_the_readme_uses():
    said = mgpipe("serve", "--help").stdout
    page = (ROOT / "README.md").read_text()
    section = page[page.index("## Render elsewhere"):page.index("## ", page.index("## Render elsewhere") + 3)]
    of_client = {"--server", "--tls-pin", "--compress"}
    for flag in set(re.findall(r"--[a-z][a-z-]+", section)) - of_client - {"--nodes"}:
        assert flag in said, f"README.md has {flag}, which `mgpipe serve --help` does not"
    for words in ("openssl rand -hex 32 > token", "mgpipe run --server ADDRESS", "SIGTERM", "deploy/"):
        assert words in " ".join(said.split())


@pytest.mark.parametrize(("flags", "sentence"), [
    (["--session-memory", "0"], "'0' is no number above 0"),
    (["--verb-timeout", "soon"], "'soon' is no number of seconds above 0"),
    (["--max-sessions", "-3"], "'-3' is no number above 0"),
    (["--metrics", "here"], "it can be PORT or HOST:PORT"),
    (["--gpu", "first"], "it can be auto or numbers like 0,1"),
    (["--tls-cert", "x.pem"], "does not encrypt; listen on tls://"),
    (["--listen", "tls://127.0.0.1:0"], "openssl req -x509"),
    (["--listen", "tcp://0.0.0.0:0"], "openssl rand -hex 32 > token"),
    (["--token-file", "/nonexistent"], "could not read the token from /nonexistent: No such file"),
])
def test_a_flag_that_cannot_be_is_refused_in_a_sentence(flags, sentence):
    ran = mgpipe("serve", *flags)
    assert ran.returncode == 2
    assert sentence in ran.stderr and "Traceback" not in ran.stderr


def test_a_port_in_use_is_said_with_what_to_do():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = mgpipe("serve", "--listen", f"tcp://127.0.0.1:{port}")
        assert ran.returncode == 70 and "Address already in use; is another server there?" in ran.stderr
        ran = mgpipe("serve", "--listen", "tcp://127.0.0.1:0", "--metrics", str(port))
        assert ran.returncode == 70 and f"cannot answer scrapes at {port}: Address already in use" in ran.stderr


def test_no_driver_is_said_when_the_server_starts_and_to_each_program(serve):
    server = serve("tcp", MGPIPE_LIBEGL="/nonexistent/libEGL.so.1")
    server.says("programs will be refused: /nonexistent/libEGL.so.1 could not be loaded")
    with pytest.raises(errors.NoDriver, match="no OpenGL driver on"):
        connect.connect(server=server.address)


def test_a_program_run_on_a_server_says_why_it_cannot(serve, tmp_path):
    token = tmp_path / "token"
    token.write_text(TOKEN)
    server = serve("tcp", "--token-file", str(token))
    program = ["--", sys.executable, "-c", "import mgpipe; mgpipe.context()"]
    assert "this server asks for a token; set MGPIPE_TOKEN_FILE" in mgpipe("run", "--server", server.address, *program).stderr
    assert "its token is not the server's" in mgpipe("run", "--server", server.address, *program, MGPIPE_TOKEN=TOKEN[::-1]).stderr
    assert mgpipe("run", "--server", server.address, *program, MGPIPE_TOKEN_FILE=str(token)).returncode == 0


def test_another_build_is_refused_with_both_versions(serve):
    server = serve("tcp")
    stranger = Connection(endpoints.dial(endpoints.parse(server.address)))
    stranger.send(Hello(revision=REVISION, fingerprint="0" * 64, version="9.9 (catalogue 000)", nonce=bytes(16), pid=1, driver="gl"))
    refusal, _ = stranger.receive(5)
    assert isinstance(refusal, Refuse) and refusal.code == "version_skew" and refusal.peer
    said = str(errors.from_refusal(refusal, "9.9 (catalogue 000)"))
    assert "9.9 (catalogue 000)" in said and refusal.peer in said and "pip install mgpipe==" in said
    stranger.close()


def test_the_unit_and_the_recipe_run_flags_that_there_are():
    said = mgpipe("serve", "--help").stdout
    for name in ("deploy/mgpipe-serve.service", "deploy/Containerfile"):
        text = (ROOT / name).read_text()
        flags = {flag for line in text.splitlines() if "listen" in line and not line.startswith("#") for flag in re.findall(r"--[a-z-]+", line)}
        assert flags and all(flag in said for flag in flags), (name, flags)


def test_the_unit_is_one_that_systemd_reads(tmp_path):
    if not (verify := shutil.which("systemd-analyze")):
        text = (ROOT / "deploy/mgpipe-serve.service").read_text()
        assert all(section in text for section in ("[Unit]", "[Service]", "[Install]"))
        return
    unit = tmp_path / "mgpipe-serve.service"
    unit.write_text((ROOT / "deploy/mgpipe-serve.service").read_text().replace("/opt/mgpipe/bin/mgpipe", "/bin/true"))
    ran = subprocess.run([verify, "verify", unit], capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "")
