"""Fixtures that several folders share: servers of a test's own, and servers that many tests draw on."""

from collections.abc import Callable, Iterator

import pytest
from serving import Server, Servers

from mgpipe.client import connect


@pytest.fixture
def serve(tmp_path) -> Iterator[Callable[..., Server]]:
    """Starts servers: `serve("tcp")`, `serve("unix", "--data", "stream")`."""
    started = []

    def start(kind: str = "tcp", *flags: str, **environment: str) -> Server:
        listen = {"tcp": "tcp://127.0.0.1:0", "unix": f"unix:{tmp_path}/server.sock"}.get(kind, kind)
        started.append(Server(listen, *flags, **environment))
        return started[-1]

    yield start
    connect.close_all()
    for server in started:
        server.end()


@pytest.fixture(scope="session")
def servers(tmp_path_factory) -> Iterator[Servers]:
    """One of each kind of address, for tests that leave a server as it was."""
    started = Servers(tmp_path_factory.mktemp("servers"))
    yield started
    started.end()
