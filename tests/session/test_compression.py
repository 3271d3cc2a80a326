"""Compressed bytes on a stream: the same contents with fewer bytes, where it pays, and from nobody more than was agreed."""

import json
import os
import random
import struct
import subprocess
import sys

import pytest

from mgpipe.client import connect
from mgpipe.client.session import can_compress

from serving import Server
from zstd import compress

from .proxy import Proxy

if not can_compress():
    pytest.skip("there is no libzstd here", allow_module_level=True)

PROGRAM = """
import hashlib, json, random, sys, moderngl, mgpipe
kind, options = sys.argv[1], json.loads(sys.argv[2])
link = mgpipe.context(data="stream", **options)
ctx = moderngl.create_context(context=link)
noise = random.Random(1)
words = [b"nothing ", b"is ", b"but ", b"what ", b"is ", b"not. "]
texels = {"noise": lambda: noise.randbytes(1 << 18), "text": lambda: b"".join(noise.choices(words, k=70000))[:1 << 18]}[kind]
program = ctx.program(
    vertex_shader="#version 330 core\\nvoid main() { gl_Position = vec4(vec2[](vec2(-3, -1), vec2(3, -1), vec2(0, 3))[gl_VertexID], 0, 1); }",
    fragment_shader="#version 330 core\\nuniform sampler2D image; out vec4 c; void main() { c = texelFetch(image, ivec2(gl_FragCoord.xy), 0); }")
triangle = ctx.vertex_array(program, [])
texture = ctx.texture((256, 256), 4)
texture.use()
target = ctx.simple_framebuffer((256, 256))
target.use()
seen = hashlib.sha256()
for n in range(options.pop("frames", 12)):
    texture.write(texels())
    triangle.render(vertices=3)
    seen.update(target.read(components=4))
print(json.dumps([seen.hexdigest(), ctx.error, link.stats()]))
"""


@pytest.fixture(scope="module")
def server():
    started = Server()
    yield started
    started.end()


def draw(address: str, kind: str, **options) -> tuple[str, dict, str]:
    """What a program has seen of its texels, its statistics, and its log."""
    asked = {"server": address, "log": "info", **options}
    ran = subprocess.run([sys.executable, "-c", PROGRAM, kind, json.dumps(asked)], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    seen, error, stats = json.loads(ran.stdout)
    assert error == "GL_NO_ERROR" and stats["link"] == "stream"
    return seen, stats, ran.stderr


@pytest.fixture(scope="module")
def plain(server):
    return {kind: draw(server.address, kind, compress="never") for kind in ("text", "noise")}


@pytest.mark.parametrize("kind", ["text", "noise"])
def test_contents_are_the_same_both_ways(server, plain, kind):
    seen, stats, log = draw(server.address, kind, compress="always")
    assert seen == plain[kind][0]
    assert "bytes are compressed with zstd always" in log
    if kind == "text":
        for way in ("sent_bytes", "received_bytes"):
            assert stats[way] < plain[kind][1][way] / 2
        assert "resource_subdata of texels: bytes are compressed with zstd from here on" in log
        assert "read_pixels: bytes are compressed with zstd from here on" in log     # by the server, of its answers
    else:
        assert stats["sent_bytes"] < 1.01 * plain[kind][1]["sent_bytes"]


def test_nothing_is_compressed_within_one_machine_unless_asked_for(server):
    _, stats, log = draw(server.address, "text")
    assert stats["packed_bytes"] == 0 and "zstd" not in log


def test_on_a_narrow_link_what_pays_is_compressed_and_named(server, plain):
    host, port = server.address.removeprefix("tcp://").split(":")
    proxy = Proxy((host, int(port)), bytes_per_s=20e6 / 8, held_bytes=32 << 10)
    try:
        seen, stats, log = draw(proxy.address, "text", compress="auto")
    finally:
        proxy.close()
    assert seen == plain["text"][0]
    assert "bytes are compressed with zstd where it pays" in log
    assert "resource_subdata of texels: bytes are compressed with zstd from here on" in log
    assert stats["sent_bytes"] < plain["text"][1]["sent_bytes"] * 0.75


def frame(whole: int, packed: bytes, segment: int = 1, offset: int = 0, size: int | None = None) -> bytes:
    payload = struct.pack("<II", whole, 0) + packed
    payload += bytes(-len(payload) % 8)
    return struct.pack("<HHIQ", 7, segment, 8 + len(packed) if size is None else size, offset) + payload


TEXT = b"the same again and again " * 400
ZEROS = bytes(256 << 10)
BAD = {
    "garbage": frame(1000, random.Random(3).randbytes(500)),
    "nothing": frame(1000, b""),
    "a block of no type": frame(len(TEXT), compress(TEXT)[:7] + bytes([compress(TEXT)[7] | 6]) + compress(TEXT)[8:]),
    "cut short": frame(len(TEXT), compress(TEXT)[:-9]),
    "more than it says": frame(64, compress(ZEROS)),
    "less than it says": frame(200 << 10, compress(TEXT)),
    "more than a frame may": frame(512 << 10, compress(ZEROS + ZEROS)),
    "more than there is": frame(0xFFFFFFFF, compress(ZEROS)),
    "outside": frame(len(TEXT), compress(TEXT), offset=1 << 62),
    "into the answers": frame(len(TEXT), compress(TEXT), segment=3),
    "a frame without end": frame(len(TEXT), compress(TEXT), size=1 << 30),
}


@pytest.mark.parametrize("sent", BAD.values(), ids=BAD)
def test_a_frame_that_does_not_unpack_ends_its_session_by_name(capfd, sent):
    server = Server()
    try:
        bad = connect.connect(server=server.address, driver="null", data="stream", compress="always")
        assert bad.ping()
        os.write(bad.data_socket, sent)
        assert not bad.ping()
        assert "RingCorrupt" in bad.loss
        assert connect.connect(server=server.address, driver="null", data="stream").ping()
    finally:
        connect.close_all()
        server.end()


def test_a_good_frame_is_taken_and_only_where_it_was_agreed(capfd):
    server = Server()
    try:
        agreed = connect.connect(server=server.address, driver="null", data="stream", compress="always")
        os.write(agreed.data_socket, frame(len(TEXT), compress(TEXT), offset=1 << 20))
        assert agreed.ping()
        other = connect.connect(server=server.address, driver="null", data="stream")
        os.write(other.data_socket, frame(len(TEXT), compress(TEXT), offset=1 << 20))
        assert not other.ping() and "RingCorrupt" in other.loss
    finally:
        connect.close_all()
        server.end()
