"""What a session's process may still do, and what it can see of others: nothing."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mgpipe.client import connect
from mgpipe.links.memory import create_memory
from mgpipe.server.confine import ARCHITECTURES, filter_program

from test_limits import nasty  # noqa: F401

ATTEMPTS = {
    "start a program": "os.execv('/bin/true', ['true'])",
    "fork": "os.fork()",
    "spawn": "os.posix_spawn('/bin/true', ['true'], {})",
    "open a socket": "socket.socket()",
    "dial": "ours.connect(('127.0.0.1', 9))",
    "listen": "ours.listen()",
    "look into another process": "libc.ptrace(16, os.getppid(), 0, 0) and oops()",
    "enter a namespace": "libc.unshare(0x10000000) and oops()",
    "mount": "libc.mount(b'none', b'/mnt', b'tmpfs', 0, 0) and oops()",
    "become somebody": "os.setuid(0)",
    "load a program into the kernel": "libc.syscall(321, 0, 0, 0) and oops()",
}


@pytest.mark.parametrize("attempt", ATTEMPTS.values(), ids=ATTEMPTS)
@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the bare number in one attempt")
def test_a_violating_call_is_refused(attempt):
    ran = subprocess.run([sys.executable, "-c", f"""
import ctypes, errno, os, socket
from mgpipe.server.confine import confine
ours = socket.socket()
libc = ctypes.CDLL(None, use_errno=True)
def oops(): raise OSError(ctypes.get_errno(), "")
assert confine() == ""
try:
    {attempt}
except OSError as error:
    assert error.errno == errno.EPERM, error
else:
    raise AssertionError("was allowed")
"""], capture_output=True, text=True, timeout=30)
    assert ran.returncode == 0, ran.stderr


def test_what_a_driver_needs_is_allowed():
    ran = subprocess.run([sys.executable, "-c", """
import mmap, os, threading
from mgpipe.server.confine import confine
assert confine() == ""
done = []
threads = [threading.Thread(target=done.append, args=(n,)) for n in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert len(done) == 4 and mmap.mmap(-1, 1 << 20) and os.memfd_create("x") and open("/proc/self/status").read()
"""], capture_output=True, text=True, timeout=30)
    assert ran.returncode == 0, ran.stderr


def test_memory_beyond_the_limit_is_refused():
    ran = subprocess.run([sys.executable, "-c", """
from mgpipe.server.confine import confine
assert confine(64 << 20) == ""
kept = bytearray(16 << 20)
try:
    bytearray(128 << 20)
except MemoryError:
    print("refused")
"""], capture_output=True, text=True, timeout=30)
    assert ran.stdout == "refused\n", ran.stderr


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_every_jump_of_the_filter_lands_inside_it(machine):
    architecture, _, clones, denied = ARCHITECTURES[machine]
    program = filter_program(architecture, clones, list(denied.values()))
    count = len(program) // 8
    for at in range(count):
        code, when_true, when_false = int.from_bytes(program[8 * at:8 * at + 2], "little"), program[8 * at + 2], program[8 * at + 3]
        if code & 7 == 5:       # a jump
            assert at + 1 + max(when_true, when_false) < count


def test_a_session_process_holds_its_own_and_nothing_of_another(serve):
    server = serve("tcp")
    first = connect.connect(server=server.address, driver="null", data="shm")
    second = connect.connect(server=server.address, driver="null", data="shm", frames_in_flight=4)

    def holds(pid: int) -> set[int]:
        found = set()
        for entry in Path(f"/proc/{pid}/fd").iterdir():
            if "memfd:" in os.readlink(entry):
                found.add(entry.stat().st_ino)
        return found

    assert holds(first.server_pid) and holds(second.server_pid) and not holds(first.server_pid) & holds(second.server_pid)
    pages = [line for line in Path(f"/proc/{second.server_pid}/maps").read_text().splitlines() if "/memfd:mgpipe-session (deleted)" in line]
    assert len(pages) == 1      # the page that it counts on; the other session's is gone


def test_seals_hold_against_the_other_side():
    descriptor = create_memory("sealed", 8192)
    with pytest.raises(PermissionError):
        os.ftruncate(descriptor, 4096)
    os.ftruncate(descriptor, 16384)
    import fcntl

    with pytest.raises(PermissionError):
        fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE)
    os.close(descriptor)


@pytest.mark.parametrize("data", ["shm"])
def test_the_seals_of_a_real_session_are_those(serve, data):
    connect.connect(server=serve("tcp").address, driver="null", data=data)
    checked = 0
    for entry in Path("/proc/self/fd").iterdir():
        try:
            ours = "memfd:mgpipe-" in os.readlink(entry)
        except OSError:
            continue
        if ours:
            with pytest.raises(PermissionError):
                os.ftruncate(int(entry.name), 0)
            checked += 1
    assert checked >= 2


DIRTY = """
import json, sys, moderngl, mgpipe
ctx = moderngl.create_context(context=mgpipe.context(server=sys.argv[1], driver=sys.argv[2]))
out = {}
size = (16, 16)
def show(target):
    return sum(target.read(components=4))
buffer = ctx.buffer(reserve=1 << 16)
copy = ctx.buffer(reserve=1 << 16)
ctx.copy_buffer(copy, buffer)
out["buffer"] = sum(copy.read())
texture = ctx.texture(size, 4)
out["texture"] = sum(ctx.framebuffer([texture]).read(components=4))
buffer = ctx.renderbuffer(size)
out["renderbuffer"] = sum(ctx.framebuffer([buffer]).read(components=4))
many = ctx.renderbuffer(size, samples=4)
resolved = ctx.simple_framebuffer(size)
ctx.copy_framebuffer(resolved, ctx.framebuffer([many]))
out["samples"] = sum(resolved.read(components=4))
partly = ctx.texture(size, 4)
partly.write(b"\\xff" * 4 * 16, viewport=(0, 0, 4, 4))
seen = ctx.framebuffer([partly]).read(components=4)
out["beside what is written"] = sum(seen) - 255 * 4 * 16
half = ctx.buffer(reserve=1024)
half.write(b"\\x01" * 512)
ctx.copy_buffer(copy, half)
out["the rest of a buffer"] = sum(copy.read(1024)) - 512
print(json.dumps(out))
"""


@pytest.mark.parametrize("driver", ["gl", "gles"])
def test_storage_that_nobody_wrote_is_zero(serve, nasty, driver):   # noqa: F811
    """On a driver that hands out memory as another program left it."""
    server = serve("tcp", MGPIPE_LIBEGL=nasty, NASTY_DIRTY="1")
    ran = subprocess.run([sys.executable, "-c", DIRTY, server.address, driver], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    assert set(json.loads(ran.stdout).values()) == {0}, ran.stdout
