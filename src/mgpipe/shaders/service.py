"""What the front end asks the compiler: in threads, and from the cache on disk where it can.

`MGPIPE_SHADER_CACHE` names another folder, or is `off`. Without any entry there (a first run, or no cache) the built-in
functions of GLSL are read ahead, while the program still does something else.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from mgpipe.shaders import jobs
from mgpipe.shaders.cache import ShaderCache, default_folder
from mgpipe.shaders.feedback import Request
from mgpipe.shaders.reflection import CompiledShader, Linked

_cache: ShaderCache | None = None
_warmed = False


def configure(options: Mapping[str, Any]) -> None:
    """A session begins: its options hold for the process."""
    global _cache, _warmed
    folder, limit = options["shader_cache"], options["shader_cache_mb"] << 20
    if folder == "off":
        _cache = None
    else:
        path = folder or default_folder()
        if _cache is None or (_cache.folder, _cache.limit_bytes) != (path, limit):
            _cache = ShaderCache(path, limit)
    if not _warmed and (_cache is None or _cache.is_empty()):
        _warmed = True
        jobs.submit(_warm_up)


def _warm_up() -> None:
    from mgpipe.shaders import compiler

    compiler.warm_up()


def compile_shader(stage: int, sources: Sequence[bytes], newest: int) -> jobs.Job:
    """A job whose result is a CompiledShader. Of a known shader it is done: a thread would only take the GIL for it."""
    arguments = (stage, tuple(sources), newest)
    known, key = _look_up("compile_shader", CompiledShader, arguments)
    return jobs.done(known) if known is not None else jobs.submit(partial(_make, "compile_shader", arguments, key))


def link(shaders: Sequence[tuple[int, Sequence[bytes]]], attribute_bindings: Mapping[str, int],
         fragdata_bindings: Mapping[str, tuple[int, int]], separable: bool, feedback: Request) -> Linked:
    arguments = ([(stage, tuple(sources)) for stage, sources in shaders], dict(sorted(attribute_bindings.items())),
                 dict(sorted(fragdata_bindings.items())), separable, feedback)
    known, key = _look_up("link", Linked, arguments)
    return known if known is not None else _make("link", arguments, key)


def _look_up(function: str, kind: type, arguments: tuple) -> tuple[Any, str]:
    """What is kept of it, and where it is to be kept."""
    if _cache is None:
        return None, ""
    key = _cache.key(function, arguments)
    return _cache.get(key, kind), key


def _make(function: str, arguments: tuple, key: str) -> Any:
    from mgpipe.shaders import compiler

    result = getattr(compiler, function)(*arguments)
    if key and _cache is not None:
        _cache.put(key, result)
    return result
