"""Compiled shaders on disk, the threads that compile, and the start of glslang."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from mgpipe.shaders import cache as cache_module
from mgpipe.shaders import compiler, jobs, service
from mgpipe.shaders.cache import ShaderCache
from mgpipe.shaders.reflection import CompiledShader, Linked
from shader_corpus import CORPUS
from shader_driver import STAGE_ENUMS

PROGRAM = """
import sys, ctypes
import mgpipe
folder = sys.argv[1]
with mgpipe.context(topology="monolith", driver="null", shader_cache=folder, stats="") as loader:
    def gl(name, *arguments, result=None):
        return ctypes.CFUNCTYPE(result, *map(type, arguments))(loader.load(name))(*arguments)
    u, i = ctypes.c_uint, ctypes.c_int
    program = gl("glCreateProgram", result=u)
    for kind, text in ((0x8B31, b"#version 330\\nuniform float x; void main() { gl_Position = vec4(x); }"),
                       (0x8B30, b"#version 330\\nout vec4 c; void main() { c = vec4(1); }")):
        shader = gl("glCreateShader", u(kind), result=u)
        gl("glShaderSource", u(shader), i(1), (ctypes.c_char_p * 1)(text), ctypes.c_void_p())
        gl("glCompileShader", u(shader))
        status = (i * 1)()
        gl("glGetShaderiv", u(shader), u(0x8B81), status)
        assert status[0] == 1
        gl("glAttachShader", u(program), u(shader))
    gl("glLinkProgram", u(program))
    status = (i * 1)()
    gl("glGetProgramiv", u(program), u(0x8B82), status)
    assert status[0] == 1
print(*sys.modules)
"""


# What a program of known shaders has no use for, and what each would add to its start (ms).
DEAR = {"msgspec": 18, "dataclasses": 1, "pathlib": 4, "_hashlib": 3, "json": 2, "mgpipe.catalogue.calls": 5, "mgpipe.shaders._glslang": 2}


def loaded(folder: Path | str) -> set[str]:
    """By a program that links and asks how it went."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("MGPIPE_")}
    result = subprocess.run([sys.executable, "-c", PROGRAM, str(folder)], capture_output=True, text=True, timeout=60, env=clean)
    assert result.returncode == 0, result.stderr
    return set(result.stdout.split())


def started_glslang(folder: Path | str) -> bool:
    return "mgpipe.shaders._glslang" in loaded(folder)


def entries(folder: Path | str) -> list[Path]:
    return sorted(path for path in Path(folder).glob("*/*/*") if path.is_file())


@pytest.fixture
def cache(tmp_path):
    return ShaderCache(tmp_path / "shaders", 1 << 20)


def linked(name: str = "blocks") -> Linked:
    return compiler.link([(STAGE_ENUMS[stage], [text.encode()]) for stage, text in CORPUS[name].items()])


def test_known_shaders_never_start_glslang(tmp_path):
    assert started_glslang(tmp_path)
    assert not started_glslang(tmp_path)
    for path in entries(tmp_path):
        path.unlink()
    assert started_glslang(tmp_path)


def test_known_shaders_load_nothing_dear(tmp_path):
    started_glslang(tmp_path)
    assert loaded(tmp_path) & DEAR.keys() == set()


def test_without_a_cache_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert started_glslang("off") and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", CORPUS)
def test_an_entry_is_what_was_linked(cache, name):
    result = linked(name)
    cache.put("ab" * 20, result)
    assert cache.get("ab" * 20, Linked) == result


def test_a_record_has_the_members_that_it_declares():
    one, other = Linked(True, log="fine"), Linked(True, "fine")
    assert one == other and one.spirv == {} and one.constants_size == [0] * 6
    one.uniforms.append("of this one")
    assert one != other and Linked(True, "").uniforms == []
    assert other.but(log="other").log == "other" and other.log == "fine"
    with pytest.raises(TypeError, match="Linked has no colour"):
        Linked(True, "", colour=1)
    with pytest.raises(AttributeError, match="log"):
        Linked(True)


def test_what_an_entry_depends_on_is_in_its_name(cache, monkeypatch):
    key = cache.key("link", [(1, (b"a",))], {"x": 1})
    assert key == cache.key("link", [(1, (b"a",))], {"x": 1})
    assert len({key, cache.key("link", [(1, (b"a", b""))], {"x": 1}), cache.key("link", [(1, (b"a",))], {"x": 2}),
                cache.key("compile", [(1, (b"a",))], {"x": 1})}) == 4
    monkeypatch.setattr(cache_module, "package_fingerprint", lambda: b"another build")
    other = ShaderCache(cache.folder, 1)
    assert other.key("link", [(1, (b"a",))], {"x": 1}) != key
    cache.put(key, CompiledShader(True, ""))
    assert not cache.is_empty() and other.is_empty() and len(list(other._entries())) == 1


def test_the_build_is_told_by_its_files(tmp_path, monkeypatch):
    (tmp_path / "compiler.py").write_text("1")
    monkeypatch.setattr(cache_module, "__file__", str(tmp_path / "cache.py"))
    before = cache_module.package_fingerprint()
    (tmp_path / "compiler.py").write_text("22")
    assert cache_module.package_fingerprint() != before


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: data[:40] + b"\0" + data[41:], lambda data: b"",
                                    lambda data: data.replace(b"shader 2", b"shader 0"), lambda data: data + b"\0"])
def test_a_damaged_entry_is_a_miss_and_goes(cache, damage):
    cache.put("cd" * 20, CompiledShader(True, "fine"))
    path, = entries(cache.folder)
    path.write_bytes(damage(path.read_bytes()))
    assert cache.get("cd" * 20, CompiledShader) is None and entries(cache.folder) == []


def test_an_entry_of_another_kind_is_a_miss(cache):
    cache.put("ef" * 20, CompiledShader(True, ""))
    assert cache.get("ef" * 20, Linked) is None


def test_the_longest_unused_go_when_the_folder_is_too_large(tmp_path):
    cache = ShaderCache(tmp_path, 10_000)
    for i in range(9):
        cache.put(f"{i:040}", CompiledShader(True, "x" * 1500))
        os.utime(cache._path(f"{i:040}"), (i, i))
    assert cache.get(f"{0:040}", CompiledShader) is not None        # used just now
    cache.sift()
    assert sum(path.stat().st_size for path in entries(tmp_path)) <= 7500
    assert cache.get(f"{0:040}", CompiledShader) is not None and cache.get(f"{1:040}", CompiledShader) is None


def test_a_folder_that_cannot_be_written_is_said_once(tmp_path, caplog):
    (tmp_path / "file").write_text("")
    cache = ShaderCache(tmp_path / "file", 1)
    for _ in range(2):
        cache.put("01" * 20, CompiledShader(True, ""))
    assert [record.levelname for record in caplog.records] == ["WARNING"]


# --- threads

def test_a_result_is_computed_once_by_whoever_comes_first():
    counted = []
    job = jobs.submit(lambda: counted.append(threading.get_ident()) or 7)
    assert job.result() == 7 and job.result() == 7
    time.sleep(0.05)
    assert len(counted) == 1


def test_several_jobs_run_beside_the_program():
    names = set()
    waiting = [jobs.submit(lambda: (time.sleep(0.01), names.add(threading.current_thread().name))) for _ in range(8)]
    time.sleep(0.3)
    assert names == {"mgpipe shaders"}
    assert all(job.result() for job in waiting)


def test_a_job_s_error_reaches_who_asks():
    def fail():
        raise ValueError("no")
    with pytest.raises(ValueError, match="no"):
        jobs.submit(fail).result()


def test_a_forked_child_compiles_in_threads_of_its_own():
    jobs.submit(lambda: time.sleep(0.2))
    time.sleep(0.02)
    begun = time.monotonic()
    pid = os.fork()
    if pid == 0:
        os._exit(0 if jobs.submit(lambda: 5).result() == 5 else 1)
    assert os.waitpid(pid, 0)[1] == 0
    assert time.monotonic() - begun > 0.1       # no thread was inside a job when it forked
    assert jobs.submit(lambda: 6).result() == 6


def test_no_thread_is_left_while_the_process_forks():
    others = set(threading.enumerate())
    pool = jobs.Pool()
    waiting = [pool.submit(lambda: time.sleep(0.05)) for _ in range(6)]
    pool.hold()
    assert not pool._threads and not any(thread.name == "mgpipe shaders" for thread in set(threading.enumerate()) - others)
    pool.release()
    assert [job.result() for job in waiting] == [None] * 6
    pool.end()


def test_at_exit_only_what_runs_is_awaited():
    text = ("import time\nfrom mgpipe.shaders import jobs\n"
            "[jobs.submit(lambda: time.sleep(0.2)) for _ in range(50)]\ntime.sleep(0.05)\n")
    begun = time.monotonic()
    subprocess.run([sys.executable, "-c", text], check=True, timeout=30)
    assert time.monotonic() - begun < 3


def test_warming_up_is_for_those_without_an_entry(tmp_path, monkeypatch):
    warmed = []
    monkeypatch.setattr(service, "_warmed", False)
    monkeypatch.setattr(service, "_cache", None)
    monkeypatch.setattr(service.jobs, "submit", warmed.append)
    ShaderCache(tmp_path / "full", 1 << 20).put("01" * 20, CompiledShader(True, ""))
    service.configure({"shader_cache": str(tmp_path / "full"), "shader_cache_mb": 1})
    assert warmed == []
    for _ in range(2):
        service.configure({"shader_cache": str(tmp_path / "empty"), "shader_cache_mb": 1})
    assert len(warmed) == 1
