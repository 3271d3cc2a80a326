"""Start a server of our own: which interpreter, which environment, which descriptors.

The server is run by a Python interpreter found for it, never blindly by `sys.executable`: in a program that embeds
Python that is the program, which would start itself once more.
"""

import os
import sys

from mgpipe.client.errors import ServerFailed

# Would bring our own libGL, or the program's libraries, into the process that must open the real driver.
SCRUBBED = ("LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP")

FOR_THE_DRIVER = ("MGPIPE_LIBEGL", "MGPIPE_DEVICE", "MGPIPE_DRIVER_ERRORS", "MGPIPE_DRIVER_WITHOUT")     # read by backends/driver.pyx

LISTEN_FD = 3  # where the server finds its listening socket …
CLIENT_FD = 4  # … and a pidfd of the process that started it


def interpreter(named: str) -> str:
    """Path of the Python that runs the server: the one named, else the one that this package is installed for."""
    if named:
        if not os.access(named, os.X_OK):
            raise ServerFailed(f"MGPIPE_PYTHON names {named}, which is no program that can be run")
        return named
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    prefixes = (sys.exec_prefix, sys.base_exec_prefix)
    candidates = [os.path.join(prefix, "bin", name) for prefix in prefixes for name in (version, "python3")]
    if os.path.basename(sys.executable).startswith("python"):
        candidates.append(sys.executable)
    candidates += [os.path.join(folder, version) for folder in os.get_exec_path()]
    for candidate in candidates:
        if os.access(candidate, os.X_OK) and os.path.isfile(candidate):
            return candidate
    raise ServerFailed(f"found no {version} to run the render server with; name one in MGPIPE_PYTHON")


def environment(inherited: dict[str, str]) -> dict[str, str]:
    """What a server may know of its client's environment: everything but what would lead it back to us."""
    return {name: value for name, value in inherited.items()
            if name in FOR_THE_DRIVER or (not name.startswith("MGPIPE_") and name not in SCRUBBED)}


def command_line(python: str, same_installation: bool, module: str = "mgpipe.server.main") -> list[str]:
    """Isolated; and in our own installation without `site`, which would cost time and run every .pth file."""
    if not same_installation:
        return [python, "-I", "-m", module]
    folders = sorted({_folder(name) for name in ("mgpipe", "msgspec")})
    program = f"import sys; sys.path += {folders!r}; from {module} import main; main()"
    return [python, "-I", "-S", "-c", program]


def _folder(package: str) -> str:
    """Where it is imported from. Importing msgspec for that would hold the server up by 20 ms."""
    from importlib.util import find_spec

    found = find_spec(package)
    if found is None or not found.origin:
        raise ServerFailed(f"{package} is not installed beside mgpipe, and the render server needs it")
    return os.path.dirname(os.path.dirname(found.origin))


def start(listener_fd: int, client_pidfd: int, nonce: bytes, python: str = "") -> int:
    """Start a supervisor; returns its pid. It is our child: reap it. The nonce travels on its standard input."""
    program = interpreter(python)
    reading, writing = os.pipe2(os.O_CLOEXEC)
    os.write(writing, nonce)
    os.close(writing)
    # Sources are moved out of the way of the numbers they are to take, then each becomes exactly its number.
    moved = [_above(fd) for fd in (reading, listener_fd, client_pidfd)]
    try:
        return os.posix_spawn(
            program,
            command_line(program, same_installation=not python),
            environment(dict(os.environ)),
            file_actions=[(os.POSIX_SPAWN_DUP2, fd, number) for fd, number in zip(moved, (0, LISTEN_FD, CLIENT_FD))],
            setpgroup=0,  # Ctrl-C in the terminal is for the program; it decides what becomes of its server
            setsigmask=(),
            setsigdef=_ordinary_signals(),
        )
    except OSError as error:
        raise ServerFailed(f"could not start the render server with {program}: {error.strerror}") from error
    finally:
        for fd in (reading, *moved):
            os.close(fd)


def start_relay(tcp_fd: int, plain_fd: int, host: str, pin: str, python: str = "") -> tuple[int, str]:
    """A process that encrypts between the two (control/relay.py): its pid, and why it could not; empty when it does."""
    program = interpreter(python)
    reading, writing = os.pipe2(os.O_CLOEXEC)
    moved = [_above(fd) for fd in (tcp_fd, plain_fd, writing)]
    os.close(writing)
    null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    try:
        pid = os.posix_spawn(
            program,
            [*command_line(program, not python, "mgpipe.control.relay"), host, pin],
            environment(dict(os.environ)),
            file_actions=[(os.POSIX_SPAWN_DUP2, null, 0), *((os.POSIX_SPAWN_DUP2, fd, n) for fd, n in zip(moved, (3, 4, 5)))],
            setpgroup=0,
            setsigmask=(),
            setsigdef=_ordinary_signals(),
        )
    finally:
        for fd in (null, *moved):
            os.close(fd)
    with open(reading, "rb") as told:
        return pid, told.read(500).decode(errors="replace")


def _above(fd: int) -> int:
    import fcntl

    return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10)


def _ordinary_signals() -> list[int]:
    """Every signal whose handling can be reset: a program may have ignored SIGINT or SIGCHLD."""
    import signal

    return sorted(signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP})
