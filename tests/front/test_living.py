"""What is alive, counted: objects of every kind on both sides while they live, and none once their contexts are gone."""

import ctypes
import subprocess
import sys
from pathlib import Path

import pytest
from gl import GL
from mgpipe import testing
from mgpipe.catalogue.layout import boundary
from mgpipe.client import connect
from mgpipe.client._probe import Tap

import mgpipe

ROWS = {row.name: row.op for row in boundary().rows}
OPTIONS = {"topology": "monolith", "driver": "gl", "gl_version": "4.6"}


@pytest.fixture
def session():
    return connect.connect(**OPTIONS)


def one_of_each(gl: GL) -> None:
    """Objects that a verb of the driver's has seen, and none deleted."""
    vertex, fragment = (ctypes.c_char_p(text.encode()) for text in (
        "#version 430\nout gl_PerVertex { vec4 gl_Position; }; void main() { gl_Position = vec4(0); }",
        "#version 430\nuniform sampler2D s; out vec4 c; void main() { c = texture(s, vec2(0)); }"))
    program = gl.CreateProgram()
    gl.ProgramParameteri(program, gl.PROGRAM_SEPARABLE, 1)
    for kind, text in ((gl.VERTEX_SHADER, vertex), (gl.FRAGMENT_SHADER, fragment)):
        shader = gl.CreateShader(kind)
        gl.ShaderSource(shader, 1, ctypes.byref(text), None)
        gl.CompileShader(shader)
        gl.AttachShader(program, shader)
    gl.LinkProgram(program)
    pipeline = gl.gen("ProgramPipelines")
    gl.UseProgramStages(pipeline, gl.ALL_SHADER_BITS, program)
    gl.BindProgramPipeline(pipeline)
    gl.BindVertexArray(gl.gen("VertexArrays"))
    gl.BindBuffer(gl.ARRAY_BUFFER, gl.gen("Buffers"))
    gl.BufferData(gl.ARRAY_BUFFER, 100_000, None, gl.STATIC_DRAW)
    gl.VertexAttribPointer(0, 4, gl.FLOAT, 0, 16, None)
    gl.EnableVertexAttribArray(0)
    for texture in (gl.gen("Textures"), 0):
        gl.BindTexture(gl.TEXTURE_2D, texture)
        gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes(64))
    gl.BindSampler(0, gl.gen("Samplers"))
    gl.SamplerParameteri(1, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
    gl.BindRenderbuffer(gl.RENDERBUFFER, gl.gen("Renderbuffers"))
    gl.RenderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, 8, 8)
    gl.BindFramebuffer(gl.FRAMEBUFFER, gl.gen("Framebuffers"))
    gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, 1)
    gl.BindTransformFeedback(gl.TRANSFORM_FEEDBACK, gl.gen("TransformFeedbacks"))
    query = gl.gen("Queries")
    gl.BeginQuery(gl.SAMPLES_PASSED, query)
    gl.DrawArrays(gl.TRIANGLES, 0, 3)
    gl.EndQuery(gl.SAMPLES_PASSED)
    gl.FenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
    gl.Finish()


def test_one_object_of_each_kind_is_counted_and_ends_with_its_context(session):
    before = testing.living()
    with mgpipe.context(**OPTIONS) as loader:
        gl = GL(loader)
        one_of_each(gl)
        assert gl.error() == "NO_ERROR"
        now = testing.living()
    more = {name: count - before.get(name, 0) for name, count in now.items() if count != before.get(name, 0)}
    loader.release()
    for name in ("contexts", "buffers", "renderbuffers", "samplers", "programs", "syncs", "vertex arrays", "framebuffers", "queries",
                 "transform feedbacks", "program pipelines", "context handles", "context on the server", "framebuffer on the server", "vertex_array on the server",
                 "sampler on the server", "query on the server", "fence on the server", "renderbuffer names of the driver"):
        assert more[name] == 1, name
    assert more["shaders"] == more["textures"] == 2
    assert more["resource on the server"] == more["resource handles"] >= 3
    assert more["buffer names of the driver"] >= 1 and more["program names of the driver"] == 1
    assert more["shadow bytes"] >= 64
    assert not testing.changed(before)


@pytest.mark.parametrize("call", ["resource_destroy", "delete_shader_state", "query_destroy", "fence_destroy", "framebuffer_destroy", "vertex_array_destroy",
                                  "destroy_context", "delete_sampler_state"])
def test_what_the_server_is_not_told_of_is_seen(call):
    found = subprocess.run([sys.executable, "-c", f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_living import *
before = testing.living() if connect.connect(**OPTIONS) else None
with mgpipe.context(**OPTIONS) as loader:
    one_of_each(GL(loader))
with Tap(loader.session, lambda op, payload, tails: op != ROWS[{call!r}]):
    loader.release()
after = testing.living()
print(*(name for name in after if after[name] != before.get(name, 0)), sep=",")
"""], capture_output=True, text=True, timeout=60)
    assert " on the server" in found.stdout, found.stderr


def test_a_shared_object_ends_with_the_last_context_of_its_group(session):
    before = testing.living()
    with mgpipe.context(**OPTIONS) as first:
        gl = GL(first)
        gl.BindBuffer(gl.ARRAY_BUFFER, gl.gen("Buffers"))
        gl.BufferData(gl.ARRAY_BUFFER, 16, bytes(16), gl.STATIC_DRAW)
        second = mgpipe.context(share=first)
    first.release()
    assert testing.living()["buffers"] == 1
    second.release()
    assert not testing.changed(before)


def test_what_only_another_object_held_ends_too(session):
    """A deleted buffer that a texture reads, a deleted texture in a framebuffer, a deleted shader in a program."""
    before = testing.living()
    with mgpipe.context(**OPTIONS) as loader:
        gl = GL(loader)
        buffer, texture, buffer_texture = gl.gen("Buffers"), *gl.gen("Textures", 2)
        gl.BindBuffer(gl.TEXTURE_BUFFER, buffer)
        gl.BufferData(gl.TEXTURE_BUFFER, 64, bytes(64), gl.STATIC_DRAW)
        gl.BindTexture(gl.TEXTURE_BUFFER, buffer_texture)
        gl.TexBuffer(gl.TEXTURE_BUFFER, gl.RGBA8, buffer)
        gl.BindTexture(gl.TEXTURE_2D, texture)
        gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes(64))
        gl.BindFramebuffer(gl.FRAMEBUFFER, gl.gen("Framebuffers"))
        gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0)
        gl.Clear(gl.COLOR_BUFFER_BIT)
        gl.BindFramebuffer(gl.FRAMEBUFFER, 0)
        gl.delete("Textures", texture)
        gl.delete("Buffers", buffer)
        shader, program = gl.CreateShader(gl.VERTEX_SHADER), gl.CreateProgram()
        gl.AttachShader(program, shader)
        gl.DeleteShader(shader)
        gl.Finish()
    loader.release()
    assert not testing.changed(before)


def test_a_framebuffer_deleted_after_the_mirror_was_dropped_ends(session):
    before = testing.living()
    with mgpipe.context(**OPTIONS) as loader:
        gl = GL(loader)
        name = gl.gen("Framebuffers")
        gl.BindFramebuffer(gl.FRAMEBUFFER, name)
        gl.FramebufferParameteri(gl.FRAMEBUFFER, gl.FRAMEBUFFER_DEFAULT_WIDTH, 4)
        gl.FramebufferParameteri(gl.FRAMEBUFFER, gl.FRAMEBUFFER_DEFAULT_HEIGHT, 4)
        gl.Clear(gl.COLOR_BUFFER_BIT)
        gl.Finish()
        testing.drop_mirror()
        gl.delete("Framebuffers", name)
        gl.Finish()
        assert testing.living().get("framebuffer handles", 0) == before.get("framebuffer handles", 0)
    loader.release()
    assert not testing.changed(before)


SESSIONS = """
import ctypes, gc, sys
import mgpipe
from mgpipe.client import connect
from mgpipe.client.session import open_sessions

class Heap(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in
                ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]

heap = ctypes.CDLL(None).mallinfo2
heap.restype = Heap

def once():
    loader = mgpipe.context(topology=sys.argv[1], driver="null")
    session = loader.session
    loader.release()
    connect.close(session)

def used():
    gc.collect()
    return heap().uordblks

for _ in range(300):        # tables of Python's own have grown by then
    once()
before = used()
for _ in range(200):
    once()
assert open_sessions() == 0
print(used() - before)
"""


@pytest.mark.parametrize("topology", ["monolith", "inproc"])
def test_a_closed_session_is_freed(topology):
    ended = subprocess.run([sys.executable, "-c", SESSIONS, topology], capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
    assert int(ended.stdout) < 200 * 256, "bytes of the heap, over 200 sessions"
