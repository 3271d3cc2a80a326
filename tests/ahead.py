"""Runs of programs ahead of the tests that look at them: most of a run is Python starting, on one of two cores."""

from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any


class Ahead:
    """Calls of one function, two at a time and each once: `begin` the ones that will be asked for, then call it like the function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.begun: dict[tuple[Hashable, ...], Future] = {}
        self.pool = ThreadPoolExecutor(2)

    def begin(self, *arguments: Hashable) -> None:
        if arguments not in self.begun:
            self.begun[arguments] = self.pool.submit(self.function, *arguments)

    def __call__(self, *arguments: Hashable) -> Any:
        """The result, or what the call raised."""
        self.begin(*arguments)
        return self.begun[arguments].result()

    def close(self) -> None:
        """What nobody asked for is not begun any more."""
        self.pool.shutdown(cancel_futures=True)
