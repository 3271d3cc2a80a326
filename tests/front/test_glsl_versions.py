"""Which versions of GLSL a context takes: those of its own OpenGL version and older."""

import ctypes

import pytest
from gl import fresh

PROMISED = {"3.3": 330, "4.0": 400, "4.1": 410, "4.2": 420, "4.3": 430, "4.4": 440, "4.5": 450, "4.6": 460}
VERSIONS = [140, 150, *PROMISED.values()]


def compiled(gl, version: str) -> tuple[bool, str]:
    shader = gl.CreateShader(gl.FRAGMENT_SHADER)
    text = f"// first\n#version {version}\nout vec4 color;\nvoid main() {{ color = vec4(1); }}\n".encode()
    gl.ShaderSource(shader, 1, (ctypes.c_char_p * 1)(text), None)
    gl.CompileShader(shader)
    log = ctypes.create_string_buffer(1000)
    gl.GetShaderInfoLog(shader, len(log), None, log)
    return gl.get_int("GetShaderiv", shader, gl.COMPILE_STATUS) == 1, log.value.decode()


@pytest.mark.parametrize("gl_version", PROMISED)
def test_versions_up_to_the_context_s_own_compile(gl_version):
    with fresh(driver="null", gl_version=gl_version) as gl:
        for version in VERSIONS:
            ok, log = compiled(gl, str(version))
            assert ok == (version <= PROMISED[gl_version]), log
            if not ok:
                assert f"0:2: '#version' : GLSL {version // 100}.{version % 100:02} is not supported" in log
        ok, log = compiled(gl, "335")
        assert not ok and ("version not supported" in log or "is not supported" in log)


def test_the_language_version_is_the_newest_that_compiles(gl46):
    gl46.GetString.restype = ctypes.c_char_p
    assert ctypes.cast(gl46.GetString(gl46.SHADING_LANGUAGE_VERSION), ctypes.c_char_p).value == b"4.60"
