"""What `mgpipe run` and the preload promise. Runs against the installed package only."""

import os
import subprocess
import sys

import pytest

OURS = (
    "import ctypes; from mgpipe.front import _gl; "
    "print(ctypes.cast(ctypes.CDLL('libGL.so.1').glFlush, ctypes.c_void_p).value == _gl.address('glFlush'))"
)


def mgpipe_run(*command: str, **env: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "mgpipe", "run", "--", *command], env=os.environ | env, capture_output=True, text=True
    )


def test_find_library_answers_where_no_driver_is_installed():
    program = (
        "import ctypes.util; ctypes.util.find_library = lambda name: None\n"
        "from mgpipe.bindings import preload; preload.install()\n"
        "print(*(ctypes.util.find_library(name) for name in ('GL', 'EGL', 'c')))"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.stdout == "libGL.so.1 libEGL.so.1 None\n", result.stderr


@pytest.mark.parametrize("flags", [[], ["-I"], ["-E"]], ids=str)
def test_run_reaches_the_program(flags):
    assert mgpipe_run(sys.executable, *flags, "-c", OURS).stdout == "True\n"


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_run_reaches_worker_processes(method, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import multiprocessing as m\n"
        "def work(_):\n    import ctypes; from mgpipe.front import _gl\n"
        "    return ctypes.cast(ctypes.CDLL('libGL.so.1').glFlush, ctypes.c_void_p).value == _gl.address('glFlush')\n"
        f"if __name__ == '__main__':\n    print(m.get_context('{method}').Pool(1).map(work, [0]))\n"
    )
    assert mgpipe_run(sys.executable, str(program)).stdout == "[True]\n"


def test_run_says_when_nothing_loaded_mgpipe():
    result = mgpipe_run(sys.executable, "-S", "-c", "pass")
    assert result.returncode == 70 and "without ever loading mgpipe" in result.stderr


def test_a_driver_that_was_there_first_is_an_error():
    result = mgpipe_run(sys.executable, "-c", "pass", LD_PRELOAD="libEGL.so.1")  # Debian package libegl1
    assert result.returncode == 70 and "a real libEGL.so.1 was loaded before mgpipe" in result.stderr


def test_run_returns_the_programs_status():
    assert mgpipe_run(sys.executable, "-c", "raise SystemExit(3)").returncode == 3
    assert mgpipe_run(sys.executable, "-c", "import os; os.kill(os.getpid(), 9)").returncode == 137
