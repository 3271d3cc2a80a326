"""The first Python of a spawned server: tidy what was inherited, then supervise."""

import os
import sys

import mgpipe.control
from mgpipe.client.launch import CLIENT_FD, LISTEN_FD


def main() -> None:
    mgpipe.control.in_server = True
    nonce = os.read(0, 64)
    null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    os.dup2(null, 0)
    try:
        os.dup2(2, 1)  # a driver that prints must not print into the program's output
    except OSError:  # the program has closed its standard error
        os.dup2(null, 1)
        os.dup2(null, 2)
    os.closerange(CLIENT_FD + 1, 1 << 20)  # whatever the program's libraries left open across exec
    for descriptor in (LISTEN_FD, CLIENT_FD):
        os.set_inheritable(descriptor, False)

    import socket

    from mgpipe.server.session import Admission
    from mgpipe.server.supervisor import Supervisor

    sys.exit(Supervisor(socket.socket(fileno=LISTEN_FD), CLIENT_FD, Admission(nonce=nonce, data="shm", chaos=True)).serve())


if __name__ == "__main__":
    main()
