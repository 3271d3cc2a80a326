"""The loader object that moderngl and zengl take instead of looking for a driver themselves."""

from typing import Any, Self

from mgpipe.client import connect
from mgpipe.front import _gl, egl


class Context:
    """An OpenGL 3.3 core context of its own, current in the thread that made it.

    `moderngl.create_context(context=…)` calls `load_opengl_function`, `__enter__`, `__exit__` and `release`;
    `zengl.init(…)` calls `load_opengl_function`. Two of them share objects when one is made with `share=` the other.
    """

    def __init__(self, *, share: "Context | None" = None, **options: Any) -> None:
        if share is None:
            egl.begin_compiling(**options)
        self.session = share.session if share is not None else connect.connect(**options)
        self._egl = egl.create(self.session, share._egl if share is not None else 0)
        self._before: list[int] = []
        egl.make_current(self._egl)

    def load_opengl_function(self, name: str) -> int:
        """Address of an entry point, 0 when OpenGL has none of that name."""
        return _gl.address(name)

    load = load_opengl_function

    def stats(self) -> dict[str, Any]:
        """The session's counters so far: frames, draws, records, bytes, round trips … (docs/architecture.md)."""
        return self.session.stats()

    def check(self) -> None:
        """Raise a `mgpipe.client.errors.SessionLost` if the session has ended for cause; its `family` tells which."""
        self.session.check()

    def __enter__(self) -> Self:
        self._before.append(egl.current())
        egl.make_current(self._egl)
        return self

    def __exit__(self, *_: object) -> None:
        before = self._before.pop()
        if before:
            egl.make_current(before)
        else:
            egl.release_current()

    def release(self) -> None:
        """Destroy the context. Its objects go with the last context that shares them."""
        if self._egl:
            if egl.current() == self._egl:
                egl.release_current()
            egl.destroy(self._egl)
            self._egl = 0
