"""Fixed sequences of OpenGL, each after the same preparation; what they send is compared with the texts beside this."""

import ctypes

VERTEX = b"#version 330\nuniform vec2 shift; in vec2 place; void main() { gl_Position = vec4(place + shift, 0, 1); }"
FRAGMENT = (b"#version 330\nuniform sampler2D image; uniform Colours { vec4 tint; }; out vec4 colour;"
            b"void main() { colour = tint * texture(image, vec2(0)); }")


class Prepared:
    """A program, a triangle, a texture and two framebuffers; drawn once, so that only news is sent from here on."""

    def __init__(self, gl) -> None:
        self.gl = gl
        self.program = gl.CreateProgram()
        for kind, text in ((gl.VERTEX_SHADER, VERTEX), (gl.FRAGMENT_SHADER, FRAGMENT)):
            shader = gl.CreateShader(kind)
            gl.ShaderSource(shader, 1, ctypes.byref(ctypes.c_char_p(text)), None)
            gl.CompileShader(shader)
            gl.AttachShader(self.program, shader)
        gl.LinkProgram(self.program)
        gl.UseProgram(self.program)
        self.shift = gl.GetUniformLocation(self.program, b"shift")
        gl.BindVertexArray(gl.gen("VertexArrays"))
        self.corners = self.buffer(gl.ARRAY_BUFFER, bytes(24))
        gl.VertexAttribPointer(0, 2, gl.FLOAT, 0, 8, None)
        gl.EnableVertexAttribArray(0)
        self.indices = self.buffer(gl.ELEMENT_ARRAY_BUFFER, bytes(6))
        self.colours = self.buffer(gl.UNIFORM_BUFFER, bytes(16))
        gl.BindBufferBase(gl.UNIFORM_BUFFER, 0, self.colours)
        self.image = gl.gen("Textures")
        gl.BindTexture(gl.TEXTURE_2D, self.image)
        gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes(64))
        self.targets = gl.gen("Framebuffers", 2)
        for target in self.targets:
            renderbuffer = gl.gen("Renderbuffers")
            gl.BindRenderbuffer(gl.RENDERBUFFER, renderbuffer)
            gl.RenderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, 8, 8)
            gl.BindFramebuffer(gl.FRAMEBUFFER, target)
            gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, renderbuffer)
        gl.Viewport(0, 0, 8, 8)
        gl.Clear(gl.COLOR_BUFFER_BIT)
        self.draw()
        assert gl.error() == "NO_ERROR"

    def buffer(self, target: int, data: bytes) -> int:
        name = self.gl.gen("Buffers")
        self.gl.BindBuffer(target, name)
        self.gl.BufferData(target, len(data), data, self.gl.STATIC_DRAW)
        return name

    def draw(self) -> None:
        self.gl.DrawArrays(self.gl.TRIANGLES, 0, 3)


def same_state_draw(gl, p: Prepared) -> None:
    p.draw()
    p.draw()


def redundant_enable(gl, p: Prepared) -> None:
    gl.Enable(gl.BLEND)
    gl.Disable(gl.BLEND)
    p.draw()


def render_state_and_back(gl, p: Prepared) -> None:
    gl.Enable(gl.BLEND)
    p.draw()
    gl.Disable(gl.BLEND)
    p.draw()
    gl.Enable(gl.BLEND)
    p.draw()


def dynamic_state(gl, p: Prepared) -> None:
    gl.BlendColor(1, 0, 0, 1)
    gl.Viewport(0, 0, 4, 4)
    p.draw()


def uniform_change(gl, p: Prepared) -> None:
    gl.Uniform2f(p.shift, 0.5, 0.25)
    p.draw()
    gl.Uniform2f(p.shift, 0.5, 0.5)
    p.draw()


def texture_upload(gl, p: Prepared) -> None:
    gl.TexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 2, 1, gl.RGBA, gl.UNSIGNED_BYTE, bytes(range(8)))
    gl.TexSubImage2D(gl.TEXTURE_2D, 0, 2, 3, 2, 1, gl.RGBA, gl.UNSIGNED_BYTE, bytes(range(8)))
    p.draw()


def texture_respecified(gl, p: Prepared) -> None:
    gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RG8, 2, 2, 0, gl.RG, gl.UNSIGNED_BYTE, bytes(range(8)))
    p.draw()


def texture_parameters(gl, p: Prepared) -> None:
    gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
    p.draw()
    gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_SWIZZLE_R, gl.GREEN)
    p.draw()


def buffer_write(gl, p: Prepared) -> None:
    gl.BindBuffer(gl.ARRAY_BUFFER, p.corners)
    gl.BufferSubData(gl.ARRAY_BUFFER, 8, 4, bytes(range(4)))
    gl.BufferSubData(gl.ARRAY_BUFFER, 12, 4, bytes(range(4)))
    p.draw()


def orphan(gl, p: Prepared) -> None:
    gl.BindBuffer(gl.ARRAY_BUFFER, p.corners)
    gl.BufferData(gl.ARRAY_BUFFER, 24, None, gl.STREAM_DRAW)
    gl.BufferSubData(gl.ARRAY_BUFFER, 0, 24, bytes(range(24)))
    p.draw()


def framebuffer_switch(gl, p: Prepared) -> None:
    for target in (*p.targets, *p.targets):
        gl.BindFramebuffer(gl.FRAMEBUFFER, target)
        p.draw()


def clear_and_blit(gl, p: Prepared) -> None:
    gl.ClearColor(1, 0, 0, 1)
    gl.Clear(gl.COLOR_BUFFER_BIT)
    gl.BindFramebuffer(gl.READ_FRAMEBUFFER, p.targets[0])
    gl.BlitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, gl.COLOR_BUFFER_BIT, gl.NEAREST)


def indexed_draws(gl, p: Prepared) -> None:
    gl.DrawElements(gl.TRIANGLES, 3, gl.UNSIGNED_SHORT, None)
    gl.DrawElementsInstanced(gl.TRIANGLES, 3, gl.UNSIGNED_SHORT, None, 2)


def multi_draws(gl, p: Prepared) -> None:
    three, offsets = (ctypes.c_int * 2)(3, 3), (ctypes.c_void_p * 2)(0, 2)
    gl.MultiDrawArrays(gl.TRIANGLES, (ctypes.c_int * 2)(0, 1), three, 2)
    gl.MultiDrawElements(gl.TRIANGLES, three, gl.UNSIGNED_SHORT, offsets, 2)
    gl.MultiDrawElementsBaseVertex(gl.TRIANGLES, three, gl.UNSIGNED_SHORT, offsets, 2, (ctypes.c_int * 2)(0, -1))
    gl.MultiDrawArrays(gl.TRIANGLES, None, None, 0)


def vertex_array(gl, p: Prepared) -> None:
    gl.VertexAttribPointer(0, 2, gl.SHORT, 1, 4, None)
    p.draw()
    gl.DisableVertexAttribArray(0)
    gl.VertexAttrib2f(0, 1, 2)
    p.draw()


def vertex_array_switch(gl, p: Prepared) -> None:
    """Between two that are known: what it takes for each draw. Then one is changed, and ends."""
    first, second = gl.get_int("GetIntegerv", gl.VERTEX_ARRAY_BINDING), gl.gen("VertexArrays")
    gl.BindVertexArray(second)
    gl.BindBuffer(gl.ARRAY_BUFFER, p.corners)
    gl.VertexAttribPointer(0, 2, gl.FLOAT, 0, 8, None)
    gl.EnableVertexAttribArray(0)
    p.draw()
    for array in (first, second, first):
        gl.BindVertexArray(array)
        p.draw()
    gl.BindVertexArray(second)
    gl.BindVertexBuffer(0, p.corners, 4, 8)
    p.draw()
    gl.delete("VertexArrays", second)
    gl.BindVertexArray(first)
    p.draw()


def reads(gl, p: Prepared) -> None:
    gl.ReadPixels(0, 0, 2, 2, gl.RGBA, gl.UNSIGNED_BYTE, (ctypes.c_ubyte * 16)())


def deletes(gl, p: Prepared) -> None:
    gl.delete("Textures", p.image)
    gl.delete("Buffers", p.colours)
    gl.UseProgram(0)
    gl.DeleteProgram(p.program)
    gl.Flush()


def frames(gl, p: Prepared) -> None:
    gl.Flush()
    gl.Finish()


SEQUENCES = {name: value for name, value in list(globals().items())
             if callable(value) and getattr(value, "__module__", "") == __name__ and name != "Prepared"}
