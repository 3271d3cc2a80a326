"""Opening a session: options in, a handle out. One session serves a process for each set of options."""

import atexit
import logging
import os
import sys
from typing import TYPE_CHECKING, Any

import mgpipe.control
from mgpipe.catalogue import options as option_table
from mgpipe.client import errors, handshake, servers

if TYPE_CHECKING:
    from mgpipe.client.session import SessionHandle
    from mgpipe.control.framing import Connection

log = logging.getLogger("mgpipe")

_sessions: "dict[tuple, SessionHandle]" = {}
_begun: "dict[tuple, Connection]" = {}     # Hello is said, and nobody has asked for the session yet
_supervisor: "servers.Supervisor | None" = None
_prepared = False


def begin(**keywords: Any) -> None:
    """A server of our own starts, with its driver, if these options want one, while the program loads the rest of us."""
    _prepare()
    chosen = option_table.resolve(keywords, os.environ)
    _check(chosen)
    key = _key(chosen)
    if chosen["topology"] == "spawn" and key not in _sessions and key not in _begun and not _supervise(chosen["python"]):
        _begun[key] = handshake.call(_supervisor, chosen)


def connect(**keywords: Any) -> "SessionHandle":
    """The process's session with these options: opened now, or opened before. A lost one is replaced."""
    _prepare()
    servers.reap_relays(wait=False)
    chosen = option_table.resolve(keywords, os.environ)
    key = _key(chosen)
    handle = _sessions.get(key)
    if handle is not None and handle.lost:
        close(handle)
        handle = None
    if handle is None:
        handle = _sessions[key] = _open(chosen)
    return handle


def _check(chosen: dict[str, Any]) -> None:
    """What can be known to fail, before a server is started for nothing."""
    if chosen["chaos"]:
        _check_chaos(chosen)
    if chosen["trace"]:
        from mgpipe.client import tracefile

        tracefile.check(chosen["trace"])


def _check_chaos(chosen: dict[str, Any]) -> None:
    """InvalidOption, before anything is started."""
    from mgpipe.catalogue import chaos

    if chosen["topology"] in ("inproc", "monolith"):
        raise option_table.InvalidOption(f"chaos is for a server of its own process, not for {chosen['topology']}: a kill would be yours")
    try:
        chaos.parse(chosen["chaos"])
    except chaos.InvalidChaos as error:
        raise option_table.InvalidOption(str(error)) from None


def _key(chosen: dict[str, Any]) -> tuple:
    return (os.getpid(), *sorted(chosen.items()))


def sessions() -> "list[SessionHandle]":
    """Those of this process that are open."""
    return [handle for (pid, *_), handle in _sessions.items() if pid == os.getpid()]


def close_all() -> None:
    """End every session of this process; at exit, and in tests."""
    _forget_begun()
    for (pid, *_), handle in list(_sessions.items()):
        if pid == os.getpid():
            close(handle)
    _sessions.clear()
    _end_supervisor()
    servers.reap_relays(wait=True)


def close(handle: "SessionHandle") -> None:
    """End one session: what was emitted is applied, statistics are written, and the server's process ends."""
    for key in [key for key, other in _sessions.items() if other is handle]:
        del _sessions[key]
    if handle.closed:
        return
    counters = handle.stats()
    handle.close()
    if path := handle.options["stats"]:
        write_stats(path, counters)


PER_FRAME = ("draws", "records", "record_bytes", "upload_bytes", "sent_bytes", "received_bytes", "round_trips", "reads", "waits")


def write_stats(path: str, counters: dict[str, Any]) -> None:
    """Whole or not at all: a reader never meets half a file. With the averages of a frame, the session's start included."""
    if counters["frames"]:
        counters = counters | {"per_frame": {name: round(counters[name] / counters["frames"], 2) for name in PER_FRAME}}
    import json

    partial = f"{path}.{os.getpid()}.part"
    try:
        with open(partial, "w") as file:
            json.dump(counters, file, indent=1)
            file.write("\n")
        os.replace(partial, path)
    except OSError as error:
        log.error("could not write the statistics to %s: %s", path, error.strerror)


def _prepare() -> None:
    global _prepared
    if _prepared:
        return
    if mgpipe.control.in_server:
        raise errors.SessionError("this is the process of an mgpipe server: it draws with a driver, never through another server")
    _prepared = True
    if not log.hasHandlers():
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("mgpipe: %(message)s"))
        log.addHandler(handler)
        log.propagate = False
    for sentence in option_table.unknown_variables(os.environ):
        log.warning("%s", sentence)
    atexit.register(close_all)
    os.register_at_fork(after_in_child=_disown)


def _forget_begun() -> None:
    for connection in _begun.values():
        connection.close()
    _begun.clear()


def _disown() -> None:
    """In a forked child."""
    servers.relays.clear()
    _forget_begun()
    if _supervisor is not None:
        _supervisor.disown()


def _open(chosen: dict[str, Any]) -> "SessionHandle":
    log.setLevel(chosen["log"].upper())
    _check(chosen)
    match chosen["topology"]:
        case "monolith" | "inproc":
            from mgpipe.client import local

            return local.open_local(chosen)
        case "spawn":
            return _spawn(chosen)
        case "remote":
            return _greet(servers.RemoteServer(chosen["server"], chosen["tls_pin"], chosen["python"], chosen["peer_timeout"]), chosen)
    raise AssertionError(chosen["topology"])


def _spawn(chosen: dict[str, Any]) -> "SessionHandle":
    global _supervisor
    for attempt in ("dial", "dial again"):
        inherited = _supervise(chosen["python"])
        try:
            return _greet(_supervisor, chosen)
        except (ConnectionError, errors.ServerFailed):
            # A supervisor that this process forked away from ends with the process that started it: then start our own.
            if not inherited or attempt == "dial again":
                raise
            _supervisor = None
    raise AssertionError


def _supervise(python: str) -> bool:
    """There is a supervisor from here on. True: it is that of the process which forked this one."""
    global _supervisor
    if _supervisor is not None and not _supervisor.accepts():
        _end_supervisor()
    if _supervisor is None:
        _supervisor = servers.Supervisor(python)
    return _supervisor.owner != os.getpid()


def _end_supervisor() -> None:
    global _supervisor
    if _supervisor is not None:
        ending, _supervisor = _supervisor, None
        ending.end()


def _greet(server: servers.RenderServer, chosen: dict[str, Any]) -> "SessionHandle":
    return handshake.greet(server, _begun.pop(_key(chosen), None) or handshake.call(server, chosen), chosen)
