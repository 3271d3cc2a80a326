"""Servers of a test's own, and the programs that draw through them."""

import pytest

from mgpipe.client import connect

from serving import Server


@pytest.fixture
def serve(tmp_path):
    """Starts servers: `serve("tcp")`, `serve("unix", "--log", "json")`."""
    started = []

    def start(kind: str = "tcp", *flags: str, **environment: str) -> Server:
        listen = {"tcp": "tcp://127.0.0.1:0", "unix": f"unix:{tmp_path}/server.sock"}.get(kind, kind)
        started.append(Server(listen, *flags, **environment))
        return started[-1]

    yield start
    connect.close_all()
    for server in started:
        server.end()
