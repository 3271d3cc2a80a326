"""On inproc the apply side shares the address space with the program, and reads nothing of it but the segments.

The program's data and the front end's context lie in pages that only the client's thread may touch (role_guard.c).
"""

import shutil
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from scenario import clean_environment

HERE = Path(__file__).parent
DRAWS = """
import ctypes, mmap, sys, threading
sys.path.insert(0, sys.argv[2])
import mgpipe
from gl import GL
from mgpipe.client._probe import segments
from mgpipe.front import _gl

guard = ctypes.CDLL(sys.argv[1])
guard.guard_add.argtypes = [ctypes.c_size_t] * 2
guard.guard_end.restype = ctypes.c_long
loader = mgpipe.context(topology="inproc", driver="gl", log="error", shadow_limit_mb=64)
gl = GL(loader)
VERTEX = b"#version 330\\nin vec2 place; void main() { gl_Position = vec4(place, 0, 1); }"
FRAGMENT = (b"#version 330\\nuniform sampler2D image; uniform vec4 tint; uniform Block { vec4 light; }; out vec4 colour;"
            b"void main() { colour = light * tint * texelFetch(image, ivec2(0), 0); }")
program = gl.CreateProgram()
for kind, text in ((gl.VERTEX_SHADER, VERTEX), (gl.FRAGMENT_SHADER, FRAGMENT)):
    shader = gl.CreateShader(kind)
    gl.ShaderSource(shader, 1, ctypes.byref(ctypes.c_char_p(text)), None)
    gl.CompileShader(shader)
    gl.AttachShader(program, shader)
gl.LinkProgram(program); gl.UseProgram(program)
tint = gl.GetUniformLocation(program, b"tint")
gl.BindVertexArray(gl.gen("VertexArrays"))
target, color, vertices, block, image = gl.gen("Framebuffers"), gl.gen("Renderbuffers"), *gl.gen("Buffers", 2), gl.gen("Textures")
gl.BindRenderbuffer(gl.RENDERBUFFER, color)
gl.RenderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, 8, 8)
gl.BindFramebuffer(gl.FRAMEBUFFER, target)
gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, color)
gl.Viewport(0, 0, 8, 8)
gl.Finish()

pages = mmap.mmap(-1, 16 * 4096)        # the program's own data
at = ctypes.addressof(ctypes.c_char.from_buffer(pages))
ctypes.memmove(at, (ctypes.c_float * 6)(-1, -1, 3, -1, -1, 3), 24)
ctypes.memmove(at + 4096, bytes([255] * 64), 64)
ctypes.memmove(at + 8192, (ctypes.c_float * 4)(1, 0.5, 1, 1), 16)
guard.guard_add(at, 16 * 4096)
guard.guard_add(_gl.context_address(), 4 * 4096)            # of a struct larger than that
if sys.argv[3] == "segments":
    guard.guard_add(*segments(loader.session)[2])
guard.guard_begin()
if sys.argv[3] == "thread":
    other = threading.Thread(target=lambda: ctypes.string_at(at, 4)); other.start(); other.join()
for frame in range(3):
    gl.BindBuffer(gl.ARRAY_BUFFER, vertices)
    gl.BufferData(gl.ARRAY_BUFFER, 24, at, gl.STATIC_DRAW)
    gl.VertexAttribPointer(0, 2, gl.FLOAT, 0, 8, None)
    gl.EnableVertexAttribArray(0)
    gl.BindBuffer(gl.UNIFORM_BUFFER, block)
    gl.BufferData(gl.UNIFORM_BUFFER, 16, at + 8192, gl.STATIC_DRAW)
    gl.BindBufferBase(gl.UNIFORM_BUFFER, 0, block)
    gl.BindTexture(gl.TEXTURE_2D, image)
    gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, at + 4096)
    gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
    gl.Uniform4fv(tint, 1, at + 8192)
    gl.Clear(gl.COLOR_BUFFER_BIT)
    gl.DrawArrays(gl.TRIANGLES, 0, 3)
    gl.ReadPixels(0, 0, 8, 8, gl.RGBA, gl.UNSIGNED_BYTE, at + 12288)
let_through = guard.guard_end()
print(guard.guard_count(), let_through, list(ctypes.string_at(at + 12288, 4)), gl.error(), loader.session.loss)
"""


@pytest.fixture(scope="module")
def guard(tmp_path_factory) -> Path:
    library = tmp_path_factory.mktemp("guard") / "role_guard.so"
    compiler = shutil.which("cc") or shutil.which("gcc")
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", str(library), str(HERE / "role_guard.c")], check=True)
    return library


def run(guard: Path, mode: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-c", textwrap.dedent(DRAWS), str(guard), str(HERE.parent / "front"), mode]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=clean_environment())


def test_the_apply_side_touches_no_memory_of_the_client(guard):
    result = run(guard, "honest")
    assert result.returncode == 0, result.stderr
    ranges, let_through, *rest = result.stdout.split(maxsplit=2)
    assert ranges == "2" and int(let_through) > 100, "nothing was guarded: the test tested nothing"
    assert rest == ["[255, 64, 255, 255] NO_ERROR \n"]


def test_another_thread_that_touches_it_ends_the_process(guard):
    result = run(guard, "thread")
    assert result.returncode == 97 and "role guard" in result.stderr


def test_what_the_apply_side_does_read_would_end_it_too(guard):
    """The shadow arena, guarded as well: the apply thread, which blocks signals, dies of the fault."""
    assert run(guard, "segments").returncode == -signal.SIGSEGV
