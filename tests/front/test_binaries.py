"""There are no formats of shader and program binaries; precisions of numbers."""

import ctypes


def test_there_are_no_formats(gl46):
    gl = gl46
    assert gl.get_int("GetIntegerv", gl.NUM_PROGRAM_BINARY_FORMATS) == 0 and gl.get_int("GetIntegerv", gl.NUM_SHADER_BINARY_FORMATS) == 0
    program, shader = gl.CreateProgram(), gl.CreateShader(gl.VERTEX_SHADER)
    length, data, shaders = (ctypes.c_int * 1)(7), ctypes.create_string_buffer(16), (ctypes.c_uint * 1)(shader)
    for call, error in ((lambda: gl.GetProgramBinary(program, 16, length, shaders, data), "INVALID_OPERATION"),
                        (lambda: gl.GetProgramBinary(program, -1, length, shaders, data), "INVALID_VALUE"),
                        (lambda: gl.GetProgramBinary(shader, 16, length, shaders, data), "INVALID_OPERATION"),
                        (lambda: gl.ProgramBinary(program, 1, data, 16), "INVALID_ENUM"),
                        (lambda: gl.ProgramBinary(999, 1, data, 16), "INVALID_VALUE"),
                        (lambda: gl.ShaderBinary(1, shaders, gl.SHADER_BINARY_FORMAT_SPIR_V, data, 16), "INVALID_ENUM"),
                        (lambda: gl.ShaderBinary(-1, shaders, 1, data, 16), "INVALID_VALUE"),
                        (lambda: gl.ShaderBinary(1, (ctypes.c_uint * 1)(program), 1, data, 16), "INVALID_OPERATION")):
        call()
        assert gl.error() == error
    assert length[0] == 0 and gl.get_int("GetProgramiv", program, gl.PROGRAM_BINARY_LENGTH) == 0


def test_the_retrievable_hint_is_remembered(gl46):
    gl = gl46
    program = gl.CreateProgram()
    assert gl.get_int("GetProgramiv", program, gl.PROGRAM_BINARY_RETRIEVABLE_HINT) == 0
    gl.ProgramParameteri(program, gl.PROGRAM_BINARY_RETRIEVABLE_HINT, 1)
    assert gl.get_int("GetProgramiv", program, gl.PROGRAM_BINARY_RETRIEVABLE_HINT) == 1


def test_precisions(gl46):
    gl = gl46
    gl.ReleaseShaderCompiler()
    span, precision = (ctypes.c_int * 2)(), (ctypes.c_int * 1)()
    gl.GetShaderPrecisionFormat(gl.FRAGMENT_SHADER, gl.LOW_FLOAT, span, precision)
    assert (list(span), precision[0]) == ([127, 127], 23)
    gl.GetShaderPrecisionFormat(gl.VERTEX_SHADER, gl.HIGH_INT, span, precision)
    assert (list(span), precision[0]) == ([31, 30], 0)
    for arguments in ((gl.GEOMETRY_SHADER, gl.LOW_FLOAT), (gl.VERTEX_SHADER, gl.FLOAT)):
        gl.GetShaderPrecisionFormat(*arguments, span, precision)
        assert gl.error() == "INVALID_ENUM"
