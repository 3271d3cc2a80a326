"""The failures that a test may ask its server for, once: `mgpipe.testing.chaos`, the option `chaos` and the server read this.

As text they are `name=value` with commas between them: `delay=20:500,kill=100`. Records are counted from 1, as the
statistics count them.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from mgpipe.catalogue.faults import FAULTS

FAMILIES = tuple(name for name, _ in FAULTS)


class Failure(NamedTuple):
    name: str
    value: str      # how it is written
    sentence: str


FAILURES = (
    Failure("fail", "N or N:FAMILY", "the driver fails at record N: the session ends with this fault, DriverError if none is named"),
    Failure("delay", "N:MS", "record N is applied that many milliseconds late"),
    Failure("freeze", "N", "the session's process is stopped at record N, as by SIGSTOP: it stays, and does nothing"),
    Failure("drop", "N", "the session hangs up at record N, as a network that breaks"),
    Failure("kill", "N", "the session's process ends at record N, as by SIGKILL: a driver that crashed"),
    Failure("corrupt", "SEED", "one bit in about a thousand records is flipped on its way; the same ones for the same seed"),
    Failure("refuse", "CODE", "the server refuses the session with this code: no_driver, driver_failed, version_skew, full …"),
    Failure("silent", "1", "the server never answers"),
)


class InvalidChaos(ValueError):
    """A failure that is not in FAILURES, or whose value cannot be."""


def compose(failures: Mapping[str, Any]) -> str:
    """The text for keywords: `{"fail": (100, "DeviceLost"), "silent": True}`."""
    text = ",".join(f"{name}={':'.join(map(str, value)) if isinstance(value, tuple) else int(value) if value is True else value}"
                    for name, value in failures.items() if value not in (None, False))
    parse(text)
    return text


def parse(text: str) -> dict[str, Any]:
    """By name: a number, a text, or for fail and delay a pair. InvalidChaos."""
    found: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        first, _, second = value.partition(":")
        match name:
            case "fail":
                if (second or "DriverError") not in FAMILIES:
                    raise InvalidChaos(f"chaos: no fault is called {second!r}; they are {', '.join(FAMILIES)}")
                found[name] = number(name, first), second or "DriverError"
            case "delay":
                found[name] = number(name, first), number(name, second)
            case "freeze" | "drop" | "kill" | "corrupt" | "silent" | "run":     # run: tells sessions apart, no failure
                found[name] = number(name, value)
            case "refuse":
                found[name] = value
            case _:
                raise InvalidChaos(f"chaos: no failure is called {name!r}; they are {', '.join(one.name for one in FAILURES)}")
    return found


def number(name: str, text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 1 << 63:
        raise InvalidChaos(f"chaos: {name} wants a number of 1 or more, not {text!r}")
    return int(text)
