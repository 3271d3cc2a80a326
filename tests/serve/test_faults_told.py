"""Each fault that a client can cause: its session ends by that name, which it hears as OpenGL says and as an exception."""

import ctypes
import os
import re
import struct
import sys
import time
from pathlib import Path

import pytest

import mgpipe
from mgpipe.catalogue.faults import FAULTS
from mgpipe.client import connect, errors
from mgpipe.server.ledger import REFUSALS

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests/backends"))
from wire import enum, record  # noqa: E402

GROUP, RESOURCE = (5, 1), (5, 1)
GL_CONTEXT_LOST, GL_UNKNOWN_CONTEXT_RESET = 0x0507, 0x8255
new_group = record("create_share_group", group=GROUP)


def resource(target: str, **storage) -> list[bytes]:
    kind = enum("RESOURCE_TARGET", target)
    return [new_group, record("resource_create", resource=RESOURCE, group=GROUP, target=kind),
            record("resource_respecify", resource=RESOURCE, target=kind, **storage)]


def compressed() -> int:
    from mgpipe.catalogue.formats import FORMATS

    return next(n for n, format in enumerate(FORMATS, 1) if getattr(format, "block_bytes", 0) == 16)


PROVOKED = {
    "UnknownOperation": lambda: [struct.pack("<HHI", 60000, 0, 8)],
    "RecordSize": lambda: [struct.pack("<HHI", *struct.unpack("<HH", new_group[:4]), 8)],
    "CountTooLarge": lambda: [record("set_vertex_buffers", count=32)[:8] + struct.pack("<IIQ", 33, 0, 0)],
    "ValueOutOfRange": lambda: [record("flush", flags=0xFFFF)],
    "PaddingNotZero": lambda: [record("flush", pad0=1)],
    "NullHandle": lambda: [record("create_share_group")],
    "UnknownHandle": lambda: [record("destroy_share_group", group=GROUP)],
    "HandleInUse": lambda: [new_group, new_group],
    "BlobOutside": lambda: [record("get_caps", into={"offset": 1 << 62, "size": 1 << 20, "segment": enum("SEGMENT", "REPLY")})],
    "BlobSize": lambda: [record("get_caps", into={"offset": 0, "size": 8, "segment": enum("SEGMENT", "REPLY")})],
    "RegionOutside": lambda: [*resource("BUFFER", size=16), record("resource_clear", resource=RESOURCE, offset=1 << 40, size=16)],
    "NoContext": lambda: [record("clear", kind=enum("CLEAR_KIND", "WHOLE"))],
    "WrongObject": lambda: [*resource("BUFFER", size=16), record("generate_mipmap", resource=RESOURCE)],
    "RingCorrupt": lambda: [],
    "OutOfMemory": lambda: resource("TEX2D_ARRAY", format=compressed(), width=32768, height=32768, depth=64),
}


def lose(session, records: list[bytes]) -> None:
    for one in records:
        if len(one) % 8:
            one += bytes(8 - len(one) % 8)
        session.emit(one)
    if not records:         # what no record of this client's can say: a frame that is none
        os.write(session.data_socket, struct.pack("<HHIQ", 9, 0, 8, 0) + bytes(8))
    deadline = time.monotonic() + 5
    while session.ping():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("family", PROVOKED)
def test_a_fault_is_told_by_name_to_program_and_operator(serve, capfd, family):
    server = serve("tcp")
    other = connect.connect(server=server.address, driver="null")
    context = mgpipe.context(server=server.address, data="stream")
    context.check()
    lose(context.session, PROVOKED[family]())
    get_error, status = (ctypes.CFUNCTYPE(ctypes.c_uint)(context.load(name)) for name in ("glGetError", "glGetGraphicsResetStatus"))
    assert get_error() == GL_CONTEXT_LOST
    assert status() == GL_UNKNOWN_CONTEXT_RESET
    with pytest.raises(errors.SessionLost, match=f"the render server ended this session: {family}: .*; the OpenGL context is lost") as lost:
        context.check()
    assert lost.value.family == family
    told = capfd.readouterr().err
    assert told.count("the OpenGL context is lost") == told.count(family) == 1
    assert other.ping()
    context.release()
    connect.close(context.session)
    assert f": {family}: " in server.says("ended after")


def test_a_server_that_is_gone_is_a_fault_of_its_own(serve, capfd):
    server = serve("tcp")
    context = mgpipe.context(server=server.address, driver="null", data="stream")
    server.process.kill()
    os.kill(context.session.server_pid, 9)
    assert not context.session.ping()
    with pytest.raises(errors.SessionLost, match="is gone") as lost:
        context.check()
    assert lost.value.family == "ServerGone"
    context.release()


def rows() -> dict[str, list[str]]:
    """The table of faults in docs/faults.md: fault → its other columns."""
    lines = (ROOT / "docs/faults.md").read_text().partition("## Faults\n")[2].splitlines()
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if re.match(r"\| `[A-Z]", line)]
    return {cells[0].strip("`"): cells[1:] for cells in table}


def test_the_page_names_every_fault_and_a_test_of_each():
    table = rows()
    assert list(table) == [name for name, _ in FAULTS]
    for name, cells in table.items():
        if cells[0].startswith("nobody"):
            continue
        assert (named := re.findall(r"`(tests/\S+\.py)::(\w+)`", cells[-1])), f"{name} has no test"
        for file, test in named:
            assert re.search(rf"^def {test}\(", (ROOT / file).read_text(), re.MULTILINE), f"{file} has no {test}"


def test_the_page_names_every_code_of_a_refusal():
    page = (ROOT / "docs/faults.md").read_text().partition("## Losing a session")[0]
    codes = [line.split("|")[2] for line in page.splitlines() if line.startswith("| `")]
    assert sorted(re.findall(r"`(\w+)`", " ".join(codes))) == sorted(REFUSALS)
