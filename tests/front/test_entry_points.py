"""Every entry point exists; what nothing implements says so, once, and sets an error."""

import ctypes
import subprocess
import sys
from pathlib import Path

import pytest

from registry import egl, error_of, function, registry, typed_gl  # noqa: F401
from mgpipe.catalogue import entry_points as catalogue
from mgpipe.front import _gl

ROOT = Path(__file__).parents[2]
WRITTEN = {f"gl{name}" for name in catalogue.IMPLEMENTED}
REFUSED = sorted(name for name in _gl.names() if name.startswith("gl") and not name.startswith("glX")
                 and name not in WRITTEN and name not in catalogue.ALIASES)


def test_every_command_of_the_core_profile_exists():
    assert set(_gl.names()) >= registry("gl").required | registry("egl").required


def test_the_table_is_sorted_so_that_the_search_finds_all():
    assert _gl.names() == sorted(_gl.names())
    assert all(_gl.address(name) for name in _gl.names())


def test_unknown_names_have_no_address():
    assert [_gl.address(name) for name in ("", "gl", "glNope", "glBegin", "zzz", "glClea", "glClearx")] == [0] * 7
    assert not egl.GetProcAddress(ctypes.c_char_p(b"glNope"))


def test_both_ways_of_asking_give_one_address():
    for name in (b"glClear", b"eglGetProcAddress", b"glXGetProcAddressARB"):
        asked = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_char_p)
        found = {asked(_gl.address(getter))(name) for getter in ("eglGetProcAddress", "glXGetProcAddress", "glXGetProcAddressARB")}
        assert found == {_gl.address(name.decode())}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_implemented_sets_an_error_and_answers_nothing(gl, name):
    before = _gl.refused_calls()
    call = function(name)
    answer = []
    assert error_of(lambda: answer.append(call(*[0] * len(call.argtypes or command_arguments(name))))) == "invalid operation"
    assert not answer[0]
    assert _gl.refused_calls() == before + 1


def command_arguments(name):
    return registry("gl").commands[name].params


def test_what_is_not_implemented_says_so_once():
    name = REFUSED[0]
    program = (f"import ctypes; from mgpipe.front import _gl; f = ctypes.CFUNCTYPE(None)(_gl.address({name!r})); f(); f()")
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.stderr == f"mgpipe: {name} is not implemented yet\n" and result.returncode == 0


def test_commands_without_a_context_do_nothing():
    program = (
        "import ctypes; from mgpipe.front import _gl\n"
        "for name in _gl.names():\n"
        "    if name.startswith('gl') and not name.startswith('glX'):\n"
        "        ctypes.CFUNCTYPE(ctypes.c_void_p, *[ctypes.c_void_p] * 12)(_gl.address(name))(*[None] * 12)\n")
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.returncode == 0


def test_glx_is_refused_by_name_and_asking_for_the_current_context_is_silent():
    program = ("import ctypes; from mgpipe.front import _gl\n"
               "def call(name): return ctypes.CFUNCTYPE(ctypes.c_void_p, *[ctypes.c_void_p] * 6)(_gl.address(name))(*[None] * 6)\n"
               "assert not call('glXGetCurrentContext') and not call('glXChooseFBConfig')\n")
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.stderr == "mgpipe: glXChooseFBConfig is not implemented yet\n"


@pytest.mark.parametrize(("change", "complaint"), [
    (("Enable Disable", "Enable Disable Enabel"), "not in the registry (GL): glEnabel"),
    (("Enable Disable", "Enable Disable Enable"), "listed twice (GL): glEnable"),
    (("GetError QueryAPI", "QueryAPI"), "EGL 1.5 has these, too: eglGetError"),
    (('"glGetGraphicsResetStatusARB": "glGetGraphicsResetStatus"', '"glNope": "glNeither"'), "aliases of nothing: glNeither"),
    (("NamedBufferData=BufferData", "NamedBufferData=BufferDatum"), "commands that others stand for, and that are not written: glBufferDatum"),
    (("NamedBufferData=BufferData", "NamedBufferData=BindBuffer"), "glNamedBufferData has not the arguments of glBindBuffer and an object's name"),
], ids=["unknown", "twice", "missing", "alias", "stands for nothing", "other arguments"])
def test_the_generator_refuses_a_catalogue_that_contradicts_itself(tmp_path, change, complaint):
    text = (ROOT / "src/mgpipe/catalogue/entry_points.py").read_text()
    assert change[0] in text
    wrong = tmp_path / "entry_points.py"
    wrong.write_text(text.replace(*change, 1))
    result = subprocess.run([sys.executable, ROOT / "generator/entry_points.py", wrong, tmp_path / "a", tmp_path / "b"],
                            capture_output=True, text=True)
    assert result.returncode != 0 and complaint in result.stderr
