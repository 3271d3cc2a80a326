"""What the front end asks the compiler: in threads, and from the cache on disk where it can.

`MGPIPE_SHADER_CACHE` names another folder, or is `off`. Without any entry there (a first run, or no cache) the built-in
functions of GLSL are read ahead, while the program still does something else.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
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
        path = Path(folder) if folder else default_folder()
        if _cache is None or (_cache.folder, _cache.limit_bytes) != (path, limit):
            _cache = ShaderCache(path, limit)
    if not _warmed and (_cache is None or _cache.is_empty()):
        _warmed = True
        jobs.submit(_warm_up)


def _warm_up() -> None:
    from mgpipe.shaders import compiler

    compiler.warm_up()


def compile_shader(stage: int, sources: Sequence[bytes], newest: int) -> jobs.Job:
    """A job whose result is a CompiledShader."""
    return jobs.submit(partial(_kept, "compile_shader", CompiledShader, (stage, tuple(sources), newest)))


def link(shaders: Sequence[tuple[int, Sequence[bytes]]], attribute_bindings: Mapping[str, int],
         fragdata_bindings: Mapping[str, tuple[int, int]], separable: bool, feedback: Request) -> Linked:
    arguments = ([(stage, tuple(sources)) for stage, sources in shaders], dict(sorted(attribute_bindings.items())),
                 dict(sorted(fragdata_bindings.items())), separable, feedback)
    return _kept("link", Linked, arguments)


def _kept(function: str, kind: type, arguments: tuple) -> Any:
    cache = _cache
    key = cache.key(function, arguments) if cache is not None else ""
    result = cache.get(key, kind) if cache is not None else None
    if result is None:
        from mgpipe.shaders import compiler

        result = getattr(compiler, function)(*arguments)
        if cache is not None:
            cache.put(key, result)
    return result
