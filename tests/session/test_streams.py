"""A stream's pace: when records leave, where the server applies them, and how much of what it was sent it keeps."""

import os
import time
from pathlib import Path

import moderngl
import pytest

import mgpipe
from serving import TRIANGLE

from .conftest import eventually

MIB = 1 << 20


class Program:
    """Draws nothing, on a server of its own."""

    def __init__(self, server) -> None:
        self.link = mgpipe.context(driver="null", server=server.address, data="stream")
        self.ctx = moderngl.create_context(context=self.link)
        made = {"ctx": self.ctx}
        exec(TRIANGLE, made)
        self.made, self.shape = made, made["shape"]
        self.pid = self.link.stats()["server_pid"]
        self.draw(1)
        self.ctx.finish()

    def draw(self, times: int) -> None:
        for _ in range(times):
            self.shape.render()

    def server_cpus(self) -> set[int]:
        """Where the thread that applies may run."""
        tasks = Path(f"/proc/{self.pid}/task").iterdir()
        return os.sched_getaffinity(next(int(task.name) for task in tasks if (task / "comm").read_text() == "mgpipe-apply\n"))

    def server_mib(self) -> int:
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) >> 8


@pytest.fixture
def program(serve):
    program = Program(serve())
    yield program
    program.ctx.finish()
    program.ctx.release()
    program.link.release()


def test_the_first_records_after_a_pause_leave_before_many_have_gathered(program):
    """A server that has nothing to do begins at once; it is not woken for a single draw either."""
    def sent_by(draws: int) -> int:
        time.sleep(0.001)
        before = program.link.stats()["sent_bytes"]
        program.draw(draws)
        return program.link.stats()["sent_bytes"] - before

    assert sent_by(10) == 0
    program.ctx.finish()
    assert sent_by(110) >= 4096     # 56 bytes each; published by the KiB


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one CPU")
def test_a_server_of_this_machine_keeps_off_the_cpu_of_a_client_that_works(program):
    everywhere = os.sched_getaffinity(0)
    here = max(everywhere)
    os.sched_setaffinity(0, {here})
    try:
        # On a machine where others work it may find that this is a loss, and leave it for a while.
        assert eventually(lambda: program.draw(2000) or program.server_cpus() == everywhere - {here})
        for _ in range(2):
            program.draw(1)
            program.ctx.finish()
        assert program.server_cpus() == everywhere      # it is waited for: that CPU is free
    finally:
        os.sched_setaffinity(0, everywhere)


def test_a_server_keeps_what_is_in_flight_and_no_more(program):
    """A quarter of a GiB through a buffer. A server elsewhere may hold 64 MiB of it: there is a network to fill."""
    buffer = program.ctx.buffer(reserve=MIB)
    before = program.server_mib()
    most = 0
    for i in range(256):
        buffer.orphan()
        buffer.write(bytes([i]) * MIB)
        program.ctx.copy_buffer(program.made["buffer"], buffer, 24)
        most = max(most, program.server_mib() - before)
    assert program.link.stats()["upload_bytes"] >= 256 * MIB
    assert most < 24, f"{most} MiB more than before"
