"""Shared memory as sealed memfds: made by one side, passed over a socket, checked by the other before it is mapped.

The seal is what lets a server read memory whose descriptor the client keeps: a file that cannot shrink cannot take a
mapped page away in the middle of a read (SIGBUS). It may grow, so sizes start small.
"""

import fcntl
import os

F_ADD_SEALS, F_GET_SEALS = fcntl.F_ADD_SEALS, fcntl.F_GET_SEALS
SEALS = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL


class UnsealedMemory(Exception):
    """The other side offered memory that it could take away again."""

    def __init__(self, fd: int, what: str):
        super().__init__(f"shared memory refused: descriptor {fd} {what}")
        self.fd = fd
        self.what = what


def create_memory(name: str, size_bytes: int) -> int:
    """A memfd of `size_bytes`, closed on exec, which may grow but never shrink. The caller closes it."""
    fd = os.memfd_create(f"mgpipe-{name}", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        os.ftruncate(fd, size_bytes)
        fcntl.fcntl(fd, F_ADD_SEALS, SEALS)
    except OSError:
        os.close(fd)
        raise
    return fd


def check_memory(fd: int, at_least_bytes: int) -> int:
    """The size of a received memfd; raises UnsealedMemory unless it is one, sealed as ours are, and large enough."""
    try:
        seals = fcntl.fcntl(fd, F_GET_SEALS)
    except OSError:
        raise UnsealedMemory(fd, "is not a memfd") from None
    if seals & SEALS != SEALS:
        raise UnsealedMemory(fd, "is not sealed against shrinking")
    if seals & (fcntl.F_SEAL_WRITE | getattr(fcntl, "F_SEAL_FUTURE_WRITE", 0x10)):
        raise UnsealedMemory(fd, "is sealed against writing")
    size_bytes = os.fstat(fd).st_size
    if size_bytes < at_least_bytes:
        raise UnsealedMemory(fd, f"holds {size_bytes} bytes, not the agreed {at_least_bytes}")
    return size_bytes
