"""What fuzzing has found, as small as it gets. Each of these ended a process, or would have somewhere else."""

import struct

import fuzzing
import pytest
from traffic import FRAME_BYTES, FRAME_RECORDS, SHADOW, frame
from zstd import compress

from mgpipe.catalogue.layout import boundary
from mgpipe.control.messages import MalformedFrame, decode

FRAME_PACKED = 7
OP = {row.name: row.op for row in boundary().rows}


def once(target: str, data: bytes) -> None:
    ran = fuzzing.python("targets.once(sys.argv[1], bytes.fromhex(sys.argv[2]))", target, data.hex(), timeout_s=60)
    assert ran.returncode == 0, ran.stderr[-6000:]


def record(name: str, payload: bytes) -> bytes:
    return struct.pack("<HHI", OP[name], 0, 8 + len(payload)) + payload


def test_an_answer_to_where_no_word_may_begin(built):
    """The capabilities were written through a struct at the client's offset: undefined where that is odd."""
    once("records", record("get_caps", struct.pack("<QQII", 1005, 8192, SHADOW, 0)))


def test_records_behind_bytes_that_end_within_a_word(built):
    """What followed 13 bytes of a block, received to where they belong, lay three bytes off, records included."""
    once("stream", b"\0" + frame(FRAME_BYTES, SHADOW, 0, bytes(13)) + frame(FRAME_RECORDS, 0, 0, record("flush", bytes(8))) * 3)


def test_compressed_bytes_damaged_anywhere(built):
    """Nothing was found here: libzstd and the bounds before it, told lies about a frame that would unpack."""
    packed = struct.pack("<II", 2400, 0) + compress(b"the same again and again" * 100)
    inputs = [b"\1" + frame(FRAME_PACKED, SHADOW, 0, packed) * 2]
    for at in range(len(packed)):
        for flipped in (0x01, 0x80, 0xFF):
            inputs.append(b"\1" + frame(FRAME_PACKED, SHADOW, 4096 * at, packed[:at] + bytes([packed[at] ^ flipped]) + packed[at + 1:]))
    ran = fuzzing.python("for line in sys.argv[1:]: targets.once('stream', bytes.fromhex(line))", *map(bytes.hex, inputs), timeout_s=120)
    assert ran.returncode == 0, ran.stderr[-6000:]


def instruction(opcode: int, *operands: int) -> list[int]:
    return [(len(operands) + 1) << 16 | opcode, *operands]


@pytest.mark.parametrize("code", [
    instruction(71, 1, 11, 0x80000000),         # OpDecorate BuiltIn
    instruction(71, 1, 0xFFFFFFFF),
    instruction(17, 0x80000000),                # OpCapability
], ids=["built-in", "decoration", "capability"])
def test_numbers_that_no_enumeration_of_spirv_holds(code):
    from mgpipe.shaders._spirv_cross import DialectError, to_dialect

    words = struct.pack(f"<{7 + len(code)}I", 0x07230203, 0x00010300, 0, 100, 0, 2 << 16 | 19, 1, *code)
    with pytest.raises(DialectError, match="stands for nothing"):
        to_dialect(words, 0, True)


@pytest.mark.parametrize("nested", [False, True])
def test_a_buffer_of_members_without_offsets(nested):
    """SPIRV-Cross looked up the decorations of a member that had none: a read at 0x60, the end of the session's process."""
    from mgpipe.shaders._spirv_cross import DialectError, to_dialect

    outer = instruction(72, 5, 0, 35, 0) + instruction(30, 5, 2) if nested else []      # OpMemberDecorate Offset, OpTypeStruct
    code = [*(outer[:5]), *instruction(22, 1, 32), *instruction(30, 2, 1), *outer[5:], *instruction(32, 3, 2, 5 if nested else 2),
            *instruction(59, 3, 4, 2)]
    with pytest.raises(DialectError, match="has no offset"):
        to_dialect(struct.pack(f"<{5 + len(code)}I", 0x07230203, 0x00010300, 0, 100, 0, *code), 0, True)


def test_a_refusal_quotes_what_was_sent_in_a_sentence():
    """A value of 70,000 characters came back whole, in a Refuse that its own schema refuses."""
    import msgspec

    with pytest.raises(MalformedFrame) as refused:
        decode(msgspec.msgpack.encode({"type": "x" * 70_000}))
    assert len(str(refused.value)) < 300
