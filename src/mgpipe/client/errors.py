"""What a program is told when there is no session. Each error is a type; its text says what happened and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mgpipe.control.messages import Refuse


class SessionError(RuntimeError):
    """No session could be opened."""

    code = "session"


class NoDriver(SessionError):
    code = "no_driver"

    def __init__(self, detail: str = "") -> None:
        super().__init__(
            "no OpenGL driver on this machine; install one (Debian: libegl1 libgl1-mesa-dri) or set MGPIPE_SERVER"
            + (f". Tried: {detail.partition('. Install one')[0]}" if detail else "")
        )


class DriverFailed(SessionError):
    """There is a driver, and it did not start."""

    code = "driver_failed"

    def __init__(self, detail: str) -> None:
        super().__init__(f"the OpenGL driver did not start: {detail}")


class VersionSkew(SessionError):
    code = "version_skew"

    def __init__(self, ours: str, theirs: str) -> None:
        super().__init__(
            f"this process has mgpipe {ours}, the server has {theirs}: both must be the same build. Install the "
            f"server's one here (pip install mgpipe=={theirs.split()[0]}), or start the server again from this one"
        )


class Unauthenticated(SessionError):
    code = "authentication"

    def __init__(self, detail: str) -> None:
        super().__init__(f"the server does not know this client: {detail}")


class ServerFailed(SessionError):
    """The server could not be started, or ended before the session stood."""

    code = "server_failed"


class TraceFailed(SessionError):
    """The file that a trace was asked for cannot be written."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"cannot write the trace to {path}: {reason}")


class NoServer(SessionError):
    """Nobody answers at the address that was named."""

    code = "no_server"

    def __init__(self, address: str, reason: str) -> None:
        super().__init__(f"no render server answers at {address} ({reason}); start one there: mgpipe serve --listen {address}")


class Untrusted(SessionError):
    """A tls:// server that could not prove who it is."""

    code = "untrusted"

    def __init__(self, address: str, detail: str) -> None:
        super().__init__(f"the server at {address} was not trusted: {detail}")


class ServerSilent(SessionError):
    code = "server_silent"

    def __init__(self, server: str, seconds: float, doing: str) -> None:
        super().__init__(f"{server} said nothing for {seconds:.0f} s{doing and f' while {doing}'}")


class SessionLost(SessionError):
    """A session that stood has ended for cause: `family` is a name of catalogue/faults.py. What follows is a new context."""

    code = "session_lost"

    def __init__(self, family: str, sentence: str) -> None:
        super().__init__(sentence)
        self.family = family


class NotImplementedYet(SessionError):
    code = "not_implemented"


def from_driver(sentence: str) -> SessionError:
    """Of what the applier said: `Family: what happened`."""
    family, _, detail = sentence.partition(": ")
    return NoDriver(detail) if family == "NoDriver" else DriverFailed(sentence)


def from_refusal(refusal: Refuse, ours: str) -> SessionError:
    match refusal.code:
        case NoDriver.code:
            return NoDriver(refusal.detail)
        case DriverFailed.code:
            return DriverFailed(refusal.detail)
        case VersionSkew.code:
            return VersionSkew(ours, refusal.peer)
        case Unauthenticated.code:
            return Unauthenticated(refusal.detail)
        case code:
            return ServerFailed(f"the server refused the session ({code}): {refusal.detail}")
