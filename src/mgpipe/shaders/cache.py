"""Results of compiling and linking on disk, found by content.

An entry's name is a hash of all that its content depends on: sources, stages, bindings, options; its folder one of the files
of this package that compile (by size and time: they are replaced whole). An entry that does not verify is a miss and goes. Nothing
here starts glslang, which is the point: a program of known shaders never does.
"""

import hashlib
import logging
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

log = logging.getLogger("mgpipe")

MAGIC = b"mgpipe shader 1\n"
DIGEST_BYTES = 16
SIFT_EVERY = 64         # entries written between two looks at the folder's size

Entry = TypeVar("Entry")


def default_folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mgpipe" / "shaders"


def package_fingerprint() -> bytes:
    """Changes with every build of what compiles."""
    here = Path(__file__).parent
    files = sorted((entry.name, entry.stat().st_size, entry.stat().st_mtime_ns) for entry in os.scandir(here)
                   if entry.name.endswith((".py", ".so")))
    return repr(files).encode()


class ShaderCache:
    def __init__(self, folder: Path, limit_bytes: int) -> None:
        self.folder = folder
        self.limit_bytes = limit_bytes
        self.written = 0
        self.broken = False     # the folder cannot be written: said once
        self._build = ""        # folder of this build's entries

    def key(self, *parts: Any) -> str:
        """Of values whose repr says all of them: numbers, strings, bytes, and tuples, lists, sorted items of those."""
        return hashlib.blake2b(self.build.encode() + repr(parts).encode(), digest_size=20).hexdigest()

    @property
    def build(self) -> str:
        if not self._build:
            self._build = hashlib.blake2b(package_fingerprint(), digest_size=8).hexdigest()
        return self._build

    def get(self, key: str, kind: type[Entry]) -> Entry | None:
        path = self._path(key)
        try:
            data = path.read_bytes()
        except OSError:
            return None
        body = data[len(MAGIC) + DIGEST_BYTES:]
        if data == MAGIC + _digest(body) + body:
            import msgspec

            try:
                entry = msgspec.msgpack.decode(body, type=kind)
                os.utime(path)              # the oldest go first
                return entry
            except (msgspec.MsgspecError, OSError):
                pass
        path.unlink(missing_ok=True)
        return None

    def put(self, key: str, entry: Any) -> None:
        import tempfile

        import msgspec

        body = msgspec.msgpack.encode(entry)
        path = self._path(key)
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor, partial = tempfile.mkstemp(dir=path.parent)
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
            Path(path).unlink(missing_ok=True)
            total -= size
            if total <= self.limit_bytes * 3 // 4:
                return

    def is_empty(self) -> bool:
        """Of this build: whoever compiles next will start glslang."""
        return next(iter(_files(self.folder / self.build)), None) is None

    def _entries(self) -> Iterable[os.DirEntry]:
        for build in _folders(self.folder):
            yield from _files(build)

    def _path(self, key: str) -> Path:
        return self.folder / self.build / key[:2] / key[2:]


def _folders(parent: Path) -> list[Path]:
    try:
        return [Path(entry.path) for entry in os.scandir(parent) if entry.is_dir()]
    except OSError:
        return []


def _files(build: Path) -> Iterable[os.DirEntry]:
    for folder in _folders(build):
        yield from os.scandir(folder)


def _digest(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=DIGEST_BYTES).digest()
