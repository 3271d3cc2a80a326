"""Results of compiling and linking on disk, found by content.

An entry's name is a hash of all that its content depends on: sources, stages, bindings, options; its folder one of the files
of this package that compile (by size and time: they are replaced whole). An entry that does not verify is a miss and goes. Nothing
here starts glslang, which is the point: a program of known shaders never does. Nor is anything loaded for it that takes a
program's start long: no pathlib, no msgspec, and of the hashes only the one.
"""

import logging
import marshal
import os
import sys
from collections.abc import Iterable
from typing import Any, TypeVar

from mgpipe.shaders.reflection import Record

try:
    from _blake2 import blake2b     # hashlib brings OpenSSL, for the other hashes: 3 ms
except ImportError:
    from hashlib import blake2b

log = logging.getLogger("mgpipe")

MAGIC = b"mgpipe shader 2\n"
DIGEST_BYTES = 16
SIFT_EVERY = 64         # entries written between two looks at the folder's size

Entry = TypeVar("Entry", bound=Record)


def default_folder() -> str:
    return os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "mgpipe", "shaders")


def package_fingerprint() -> bytes:
    """Changes with every build of what compiles, and with the Python that reads and writes."""
    here = os.path.dirname(__file__)
    files = sorted((entry.name, entry.stat().st_size, entry.stat().st_mtime_ns) for entry in os.scandir(here)
                   if entry.name.endswith((".py", ".so")))
    return repr((sys.implementation.cache_tag, files)).encode()


class ShaderCache:
    def __init__(self, folder: str | os.PathLike, limit_bytes: int) -> None:
        self.folder = os.fspath(folder)
        self.limit_bytes = limit_bytes
        self.written = 0
        self.broken = False     # the folder cannot be written: said once
        self._build = ""        # folder of this build's entries

    def key(self, *parts: Any) -> str:
        """Of values whose repr says all of them: numbers, strings, bytes, and tuples, lists, sorted items of those."""
        return blake2b(self.build.encode() + repr(parts).encode(), digest_size=20).hexdigest()

    @property
    def build(self) -> str:
        if not self._build:
            self._build = blake2b(package_fingerprint(), digest_size=8).hexdigest()
        return self._build

    def get(self, key: str, kind: type[Entry]) -> Entry | None:
        path = self._path(key)
        try:
            data = _read(path)
        except OSError:
            return None
        body = data[len(MAGIC) + DIGEST_BYTES:]
        if data == MAGIC + _digest(body) + body:
            try:
                entry = kind.from_plain(marshal.loads(body))
                os.utime(path)              # the oldest go first
                return entry
            except (ValueError, EOFError, TypeError, OSError):
                pass
        _remove(path)
        return None

    def put(self, key: str, entry: Record) -> None:
        import tempfile

        body = marshal.dumps(entry.plain())
        path = self._path(key)
        try:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            descriptor, partial = tempfile.mkstemp(dir=os.path.dirname(path))
            try:
                with open(descriptor, "wb") as file:
                    file.write(MAGIC + _digest(body) + body)
                os.replace(partial, path)   # whole or not at all
            except BaseException:
                os.unlink(partial)
                raise
            if self.written % SIFT_EVERY == 0:
                self.sift()
            self.written += 1
        except OSError as error:
            if not self.broken:
                log.warning("compiled shaders are not kept: %s: %s", self.folder, error.strerror)
            self.broken = True

    def sift(self) -> None:
        """Down to three quarters of the limit when it is passed, the longest unused first."""
        found = []
        for entry in self._entries():
            try:
                status = entry.stat()
                found.append((status.st_mtime_ns, status.st_size, entry.path))
            except FileNotFoundError:
                pass                        # another process sifts, too
        total = sum(size for _, size, _ in found)
        if total <= self.limit_bytes:
            return
        for _, size, path in sorted(found):
            _remove(path)
            total -= size
            if total <= self.limit_bytes * 3 // 4:
                return

    def is_empty(self) -> bool:
        """Of this build: whoever compiles next will start glslang."""
        return next(iter(_files(os.path.join(self.folder, self.build))), None) is None

    def _entries(self) -> Iterable[os.DirEntry]:
        for build in _folders(self.folder):
            yield from _files(build)

    def _path(self, key: str) -> str:
        return os.path.join(self.folder, self.build, key[:2], key[2:])


def _folders(parent: str) -> list[str]:
    try:
        return [entry.path for entry in os.scandir(parent) if entry.is_dir()]
    except OSError:
        return []


def _files(build: str) -> Iterable[os.DirEntry]:
    for folder in _folders(build):
        yield from os.scandir(folder)


def _read(path: str) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)      # a file object costs more than all that follows
    try:
        return os.read(descriptor, os.fstat(descriptor).st_size)
    finally:
        os.close(descriptor)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass            # another process did


def _digest(body: bytes) -> bytes:
    return blake2b(body, digest_size=DIGEST_BYTES).digest()
