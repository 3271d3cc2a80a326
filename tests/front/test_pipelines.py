"""Separable programs and program pipelines (OpenGL 4.1): objects, errors, uniforms, pixels."""

import ctypes

import pytest

VERTEX = b"""#version 410
out gl_PerVertex { vec4 gl_Position; };
uniform vec2 shift; uniform float same; out vec3 b_unused; out vec4 c_tint; out vec2 a_first;
void main() { a_first = vec2(same); b_unused = vec3(1); c_tint = vec4(0, 1, 0, 1) * same;
              gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4 - 1 + shift, 0, 1); }
"""
FRAGMENT = b"""#version 410
in vec4 c_tint; uniform vec4 same; out vec4 color; uniform sampler2D map;
void main() { color = c_tint + same + texture(map, vec2(0.5)) * vec4(1, 1, 1, 0); }
"""
PLAIN = b"#version 410\nuniform vec4 tint; out vec4 color; void main() { color = tint; }\n"
WRONG = b"#version 410\nin float missing; out vec4 color; void main() { color = vec4(missing); }\n"
RED, GREEN, BLUE, YELLOW = (255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 255), (255, 255, 0, 255)


def separable(gl, kind: str, *texts: bytes) -> int:
    program = gl.CreateShaderProgramv(getattr(gl, kind + "_SHADER"), len(texts), (ctypes.c_char_p * len(texts))(*texts))
    log = ctypes.create_string_buffer(1000)
    gl.GetProgramInfoLog(program, 1000, None, log)
    assert gl.get_int("GetProgramiv", program, gl.LINK_STATUS) == 1, log.value
    return program


def bound(gl, vertex: int, fragment: int) -> int:
    pipeline = gl.gen("ProgramPipelines")
    gl.UseProgramStages(pipeline, gl.VERTEX_SHADER_BIT, vertex)
    gl.UseProgramStages(pipeline, gl.FRAGMENT_SHADER_BIT, fragment)
    gl.BindProgramPipeline(pipeline)
    return pipeline


def at(gl, program: int, name: bytes) -> int:
    location = gl.GetUniformLocation(program, name)
    assert location >= 0
    return location


def draw(gl) -> tuple[int, ...]:
    gl.DrawArrays(gl.TRIANGLES, 0, 3)
    return gl.pixel(3, 3)


def test_names_become_pipelines_when_first_used(gl46):
    gl = gl46
    one, other, third = gl.gen("ProgramPipelines", 3)
    assert not gl.IsProgramPipeline(one)
    gl.BindProgramPipeline(one)
    gl.UseProgramStages(other, gl.VERTEX_SHADER_BIT, 0)
    gl.get_int("GetProgramPipelineiv", third, gl.ACTIVE_PROGRAM)
    assert gl.IsProgramPipeline(one) and gl.IsProgramPipeline(other) and gl.IsProgramPipeline(third)
    assert gl.get_int("GetIntegerv", gl.PROGRAM_PIPELINE_BINDING) == one
    gl.delete("ProgramPipelines", one, 0, 999)
    assert gl.get_int("GetIntegerv", gl.PROGRAM_PIPELINE_BINDING) == 0 and not gl.IsProgramPipeline(one)
    gl.BindProgramPipeline(one)
    assert gl.error() == "INVALID_OPERATION"


def test_stages_are_of_separable_programs(gl46):
    gl = gl46
    program = separable(gl, "VERTEX", VERTEX)
    assert gl.get_int("GetProgramiv", program, gl.PROGRAM_SEPARABLE) == 1
    pipeline = gl.gen("ProgramPipelines")
    gl.UseProgramStages(pipeline, gl.ALL_SHADER_BITS, program)
    asked = [gl.get_int("GetProgramPipelineiv", pipeline, kind) for kind in (gl.VERTEX_SHADER, gl.FRAGMENT_SHADER)]
    assert asked == [program, 0]                # it has no fragment shader
    unlinked = gl.CreateProgram()
    for call, error in ((lambda: gl.UseProgramStages(pipeline, 1 << 20, program), "INVALID_VALUE"),
                        (lambda: gl.UseProgramStages(pipeline, gl.VERTEX_SHADER_BIT, unlinked), "INVALID_OPERATION"),
                        (lambda: gl.UseProgramStages(pipeline, gl.VERTEX_SHADER_BIT, 999), "INVALID_VALUE"),
                        (lambda: gl.UseProgramStages(999, gl.VERTEX_SHADER_BIT, program), "INVALID_OPERATION"),
                        (lambda: gl.ActiveShaderProgram(pipeline, unlinked), "INVALID_OPERATION"),
                        (lambda: gl.GetProgramPipelineiv(pipeline, gl.LINK_STATUS, (ctypes.c_int * 1)()), "INVALID_ENUM"),
                        (lambda: gl.ProgramParameteri(program, gl.PROGRAM_SEPARABLE, 2), "INVALID_VALUE"),
                        (lambda: gl.ProgramParameteri(program, gl.LINK_STATUS, 1), "INVALID_ENUM"),
                        (lambda: gl.CreateShaderProgramv(gl.VERTEX_SHADER, -1, None), "INVALID_VALUE"),
                        (lambda: gl.CreateShaderProgramv(gl.TEXTURE_2D, 0, None), "INVALID_ENUM")):
        call()
        assert gl.error() == error


def test_separability_holds_from_the_next_link(gl46):
    gl = gl46
    program = separable(gl, "VERTEX", VERTEX)
    gl.ProgramParameteri(program, gl.PROGRAM_SEPARABLE, 0)
    pipeline = gl.gen("ProgramPipelines")
    gl.UseProgramStages(pipeline, gl.VERTEX_SHADER_BIT, program)
    assert gl.error() == "NO_ERROR"


def test_a_program_that_does_not_compile_says_why(gl46):
    gl = gl46
    program = gl.CreateShaderProgramv(gl.FRAGMENT_SHADER, 1, (ctypes.c_char_p * 1)(b"#version 410\nvoid main() { nonsense; }\n"))
    log = ctypes.create_string_buffer(1000)
    gl.GetProgramInfoLog(program, 1000, None, log)
    assert gl.get_int("GetProgramiv", program, gl.LINK_STATUS) == 0 and b"nonsense" in log.value
    assert gl.get_int("GetProgramiv", program, gl.ATTACHED_SHADERS) == 0


def test_a_program_lives_while_a_pipeline_has_it(gl46):
    gl = gl46
    program = separable(gl, "VERTEX", VERTEX)
    pipeline = gl.gen("ProgramPipelines")
    gl.UseProgramStages(pipeline, gl.VERTEX_SHADER_BIT, program)
    gl.DeleteProgram(program)
    assert gl.IsProgram(program) and gl.get_int("GetProgramiv", program, gl.DELETE_STATUS) == 1
    gl.UseProgramStages(pipeline, gl.VERTEX_SHADER_BIT, 0)
    assert not gl.IsProgram(program)


def test_validation_names_what_does_not_fit(gl46):
    gl = gl46
    good = bound(gl, separable(gl, "VERTEX", VERTEX), separable(gl, "FRAGMENT", FRAGMENT))
    gl.ValidateProgramPipeline(good)
    assert gl.get_int("GetProgramPipelineiv", good, gl.VALIDATE_STATUS) == 1
    bad = bound(gl, separable(gl, "VERTEX", VERTEX), separable(gl, "FRAGMENT", WRONG))
    gl.ValidateProgramPipeline(bad)
    log = ctypes.create_string_buffer(1000)
    gl.GetProgramPipelineInfoLog(bad, 1000, None, log)
    assert gl.get_int("GetProgramPipelineiv", bad, gl.VALIDATE_STATUS) == 0 and b"'missing'" in log.value
    assert gl.get_int("GetProgramPipelineiv", bad, gl.INFO_LOG_LENGTH) == len(log.value) + 1


def test_uniforms_go_to_the_active_program_of_the_bound_pipeline(gl46):
    gl = gl46
    vertex, fragment = separable(gl, "VERTEX", VERTEX), separable(gl, "FRAGMENT", FRAGMENT)
    pipeline = bound(gl, vertex, fragment)
    gl.Uniform1f(at(gl, vertex, b"same"), 3)
    assert gl.error() == "INVALID_OPERATION"            # none is active
    gl.ActiveShaderProgram(pipeline, vertex)
    gl.Uniform1f(at(gl, vertex, b"same"), 3)
    gl.ProgramUniform4f(fragment, at(gl, fragment, b"same"), 1, 2, 3, 4)
    values = (ctypes.c_float * 4)()
    gl.GetUniformfv(vertex, at(gl, vertex, b"same"), values)
    assert values[0] == 3
    gl.GetUniformfv(fragment, at(gl, fragment, b"same"), values)
    assert list(values) == [1, 2, 3, 4]
    gl.ProgramUniform1f(vertex, at(gl, vertex, b"shift"), 1)
    assert gl.error() == "INVALID_OPERATION"
    gl.ProgramUniform1f(gl.CreateProgram(), 0, 1)
    assert gl.error() == "INVALID_OPERATION"
    gl.ProgramUniform1f(999, 0, 1)
    assert gl.error() == "INVALID_VALUE"


@pytest.fixture
def textured(drawing):
    gl = drawing
    gl.BindVertexArray(gl.gen("VertexArrays"))
    for unit, texel in ((0, bytes(4)), (1, bytes((255, 0, 0, 255)))):
        gl.ActiveTexture(gl.TEXTURE0 + unit)
        gl.BindTexture(gl.TEXTURE_2D, gl.gen("Textures"))
        gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, texel)
        gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
    return gl


def test_stages_meet_by_name_and_each_keeps_its_uniforms(textured):
    gl = textured
    vertex, fragment = separable(gl, "VERTEX", VERTEX), separable(gl, "FRAGMENT", FRAGMENT)
    pipeline = bound(gl, vertex, fragment)
    gl.ActiveShaderProgram(pipeline, vertex)
    gl.Uniform1f(at(gl, vertex, b"same"), 1)
    assert draw(gl) == GREEN
    gl.ProgramUniform1i(fragment, at(gl, fragment, b"map"), 1)
    assert draw(gl) == YELLOW
    gl.ProgramUniform4f(fragment, at(gl, fragment, b"same"), -1, 0, 0, 0)
    assert draw(gl) == GREEN
    gl.Uniform1f(at(gl, vertex, b"same"), 0.0)
    gl.ProgramUniform4f(fragment, at(gl, fragment, b"same"), -1, 0, 1, 1)
    assert draw(gl) == BLUE


def test_one_program_serves_in_several_pipelines(textured):
    gl = textured
    vertex, first, second = (separable(gl, "VERTEX", VERTEX), separable(gl, "FRAGMENT", PLAIN), separable(gl, "FRAGMENT", PLAIN))
    pipelines = [bound(gl, vertex, first), bound(gl, vertex, second)]
    gl.ProgramUniform4f(first, at(gl, first, b"tint"), 1, 0, 0, 1)
    gl.ProgramUniform4f(second, at(gl, second, b"tint"), 0, 0, 1, 1)
    for pipeline, color in ((pipelines[0], RED), (pipelines[1], BLUE), (pipelines[0], RED)):
        gl.BindProgramPipeline(pipeline)
        assert draw(gl) == color
    gl.UseProgramStages(pipelines[0], gl.FRAGMENT_SHADER_BIT, second)
    assert draw(gl) == BLUE
    gl.ProgramUniform2f(vertex, at(gl, vertex, b"shift"), 9, 9)         # out of sight, in both
    gl.Clear(gl.COLOR_BUFFER_BIT)
    for pipeline in pipelines:
        gl.BindProgramPipeline(pipeline)
        assert draw(gl) == (0, 0, 0, 0)


def test_a_current_program_goes_before_the_pipeline(textured):
    gl = textured
    vertex, fragment = separable(gl, "VERTEX", VERTEX), separable(gl, "FRAGMENT", PLAIN)
    bound(gl, vertex, fragment)
    gl.ProgramUniform4f(fragment, at(gl, fragment, b"tint"), 1, 0, 0, 1)
    whole = gl.CreateProgram()
    for kind, text in ((gl.VERTEX_SHADER, VERTEX), (gl.FRAGMENT_SHADER, PLAIN)):
        shader = gl.CreateShader(kind)
        gl.ShaderSource(shader, 1, (ctypes.c_char_p * 1)(text), None)
        gl.CompileShader(shader)
        gl.AttachShader(whole, shader)
    gl.LinkProgram(whole)
    gl.UseProgram(whole)
    gl.Uniform4f(at(gl, whole, b"tint"), 0, 0, 1, 1)
    assert draw(gl) == BLUE
    gl.UseProgram(0)
    assert draw(gl) == RED


def test_a_relinked_program_is_taken_anew(textured):
    gl = textured
    vertex = separable(gl, "VERTEX", VERTEX)
    fragment = gl.CreateProgram()
    gl.ProgramParameteri(fragment, gl.PROGRAM_SEPARABLE, 1)
    shader = gl.CreateShader(gl.FRAGMENT_SHADER)
    gl.AttachShader(fragment, shader)
    pipeline = None
    for value, color in ((b"vec4(1, 0, 0, 1)", RED), (b"vec4(0, 0, 1, 1)", BLUE)):
        text = b"#version 410\nout vec4 color; void main() { color = " + value + b"; }\n"
        gl.ShaderSource(shader, 1, (ctypes.c_char_p * 1)(text), None)
        gl.CompileShader(shader)
        gl.LinkProgram(fragment)
        pipeline = pipeline or bound(gl, vertex, fragment)
        assert draw(gl) == color


def test_stages_that_do_not_fit_draw_nothing(textured):
    gl = textured
    bound(gl, separable(gl, "VERTEX", VERTEX), separable(gl, "FRAGMENT", WRONG))
    gl.DrawArrays(gl.TRIANGLES, 0, 3)
    assert gl.error() == "INVALID_OPERATION"


def test_blocks_of_the_stages_keep_their_bindings(textured):
    gl = textured
    block = b"layout(std140) uniform Same { vec4 value; }; "
    vertex = separable(gl, "VERTEX", b"#version 410\n" + block + b"out gl_PerVertex { vec4 gl_Position; };"
                       b"void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4 - 1, 0, 1) + value; }")
    fragment = separable(gl, "FRAGMENT", b"#version 410\n" + block + b"out vec4 color; void main() { color = value; }")
    bound(gl, vertex, fragment)
    for binding, values in ((2, (0, 0, 0, 0)), (3, (0, 0, 1, 1)), (4, (1, 0, 0, 1))):
        buffer = gl.gen("Buffers")
        gl.BindBufferBase(gl.UNIFORM_BUFFER, binding, buffer)
        gl.BufferData(gl.UNIFORM_BUFFER, 16, bytes((ctypes.c_float * 4)(*values)), gl.STATIC_DRAW)
    gl.UniformBlockBinding(vertex, 0, 2)
    for binding, color in ((3, BLUE), (4, RED)):
        gl.UniformBlockBinding(fragment, 0, binding)
        assert draw(gl) == color
