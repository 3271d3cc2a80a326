"""What makes any draw an error is found whatever happens before it: nothing, refused draws, or verbs that look at a part of it."""

import pytest
from test_compute import filled, link, refuses

VERTEX = b"#version 430\nin vec2 place; void main() { gl_Position = vec4(place, 0, 1); }"
FRAGMENT = (b"#version 430\nuniform sampler2D flat_image; uniform samplerCube cube; uniform Colours { vec4 tint; }; out vec4 colour;"
            b"void main() { colour = tint + texture(flat_image, vec2(0)) + texture(cube, vec3(0)); }")
COMPUTE = (b"#version 430\nlayout(local_size_x = 1) in; uniform sampler2D flat_image; uniform Colours { vec4 tint; };"
           b"layout(std430, binding = 0) buffer Out { vec4 seen; }; void main() { seen = tint + texture(flat_image, vec2(0)); }")


class Scene:
    """A program with all that can be wrong, and it is right."""

    def __init__(self, gl) -> None:
        self.gl = gl
        self.program = link(gl, (gl.VERTEX_SHADER, VERTEX), (gl.FRAGMENT_SHADER, FRAGMENT))
        self.compute = link(gl, (gl.COMPUTE_SHADER, COMPUTE))
        self.cube = gl.GetUniformLocation(self.program, b"cube")
        self.array, self.empty_array = gl.gen("VertexArrays", 2)
        self.target, self.empty_target = gl.gen("Framebuffers", 2)
        gl.BindFramebuffer(gl.FRAMEBUFFER, self.empty_target)
        gl.BindFramebuffer(gl.FRAMEBUFFER, self.target)
        color = gl.gen("Renderbuffers")
        gl.BindRenderbuffer(gl.RENDERBUFFER, color)
        gl.RenderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, 4, 4)
        gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, color)
        gl.BindBufferBase(gl.UNIFORM_BUFFER, 0, filled(gl, gl.UNIFORM_BUFFER, 64))
        gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, 0, filled(gl, gl.SHADER_STORAGE_BUFFER, 64))
        gl.BindVertexArray(self.empty_array)
        gl.EnableVertexAttribArray(0)
        gl.BindVertexArray(self.array)
        filled(gl, gl.ARRAY_BUFFER, 64)
        gl.VertexAttribPointer(0, 2, gl.FLOAT, 0, 0, None)
        gl.EnableVertexAttribArray(0)
        gl.UseProgram(self.program)
        gl.Uniform1i(self.cube, 1)

    def draw(self) -> str:
        self.gl.DrawArrays(self.gl.POINTS, 0, 1)
        return self.gl.error()

    def dispatch(self) -> None:
        self.gl.UseProgram(self.compute)
        self.gl.DispatchCompute(1, 1, 1)
        self.gl.UseProgram(self.program)


WRONG = {       # what makes it wrong, and what mends that
    "no buffer": (lambda gl, it: gl.BindVertexArray(it.empty_array), lambda gl, it: gl.BindVertexArray(it.array)),
    "mapped vertices": (lambda gl, it: gl.MapBufferRange(gl.ARRAY_BUFFER, 0, 64, gl.MAP_READ_BIT), lambda gl, it: gl.UnmapBuffer(gl.ARRAY_BUFFER)),
    "mapped block": (lambda gl, it: gl.MapBufferRange(gl.UNIFORM_BUFFER, 0, 64, gl.MAP_READ_BIT), lambda gl, it: gl.UnmapBuffer(gl.UNIFORM_BUFFER)),
    "samplers": (lambda gl, it: gl.Uniform1i(it.cube, 0), lambda gl, it: gl.Uniform1i(it.cube, 1)),
    "framebuffer": (lambda gl, it: gl.BindFramebuffer(gl.FRAMEBUFFER, it.empty_target), lambda gl, it: gl.BindFramebuffer(gl.FRAMEBUFFER, it.target)),
}
BETWEEN = {
    "nothing": lambda gl, it: None,
    "draw": lambda gl, it: it.draw(),
    "clear": lambda gl, it: gl.Clear(gl.COLOR_BUFFER_BIT),
    "blit": lambda gl, it: gl.BlitFramebuffer(0, 0, 1, 1, 0, 0, 1, 1, gl.COLOR_BUFFER_BIT, gl.NEAREST),
    "dispatch": lambda gl, it: it.dispatch(),
    "state": lambda gl, it: gl.Enable(gl.BLEND),
    "read": lambda gl, it: gl.pixel(0, 0),
    "finish": lambda gl, it: gl.Finish(),
}


@pytest.mark.parametrize("between", BETWEEN)
@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_draw_is_refused_until_it_is_mended(gl46, wrong, between):
    gl, it = gl46, Scene(gl46)
    spoil, mend = WRONG[wrong]
    assert it.draw() == "NO_ERROR"
    spoil(gl, it)
    for _ in range(2):
        BETWEEN[between](gl, it)
        gl.error()                  # of the verb between, which may be wrong, too
        assert it.draw() == ("INVALID_FRAMEBUFFER_OPERATION" if wrong == "framebuffer" else "INVALID_OPERATION")
    mend(gl, it)
    refuses(gl, "NO_ERROR", gl.DrawArrays, gl.POINTS, 0, 1)
