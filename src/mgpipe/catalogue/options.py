"""Every option, once. Command-line flags, MGPIPE_… variables and keywords of `mgpipe.context()` are made from this table.

A keyword beats a flag, a flag beats a variable. Flags reach the program as variables, so only the other two are told
apart here.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple      # not dataclasses: they would cost every program 8 ms at its start

TOPOLOGIES = ("spawn", "inproc", "monolith", "remote")
DRIVERS = ("gl", "gles", "null")
DATA_PLANES = ("auto", "shm", "stream")
COMPRESSION = ("never", "auto", "always")
PEER_TIMEOUT_S = 30
VERSIONS = ("3.3", "4.0", "4.1", "4.2", "4.3", "4.4", "4.5", "4.6")


class Option(NamedTuple):
    name: str
    kind: type
    default: Any
    sentence: str
    choices: tuple[str, ...] = ()
    least: int = 0      # of an integer
    most: int = 1 << 31

    @property
    def variable(self) -> str:
        return "MGPIPE_" + self.name.upper()

    @property
    def flag(self) -> str:
        return "--" + self.name.replace("_", "-")


OPTIONS = (
    Option("topology", str, "spawn", "where the driver runs: a child process, a thread, the calling thread, a server", TOPOLOGIES),
    Option("server", str, "", "address of a server, unix:PATH, tcp://HOST:PORT or tls://HOST:PORT; implies topology remote"),
    Option("data", str, "auto", "how records travel to that server: shared memory, a stream, or memory where it can be shared",
           DATA_PLANES),
    Option("compress", str, "", "compress what a stream carries with zstd: auto, where it pays; always; never. By default auto, but "
           "never within one machine", COMPRESSION),
    Option("token_file", str, "", "file with the server's token; MGPIPE_TOKEN may hold the token itself"),
    Option("tls_pin", str, "", "fingerprint of the certificate that a tls:// server must show, as it printed it: sha256:…"),
    Option("peer_timeout", int, PEER_TIMEOUT_S, "seconds after which a server that vanished without a word is given up; 0: never", (), 0, 86400),
    Option("driver", str, "gl", "what the server draws with: desktop OpenGL, OpenGL ES, or nothing", DRIVERS),
    Option("gl_version", str, "", "OpenGL version to promise, instead of the highest that is whole on the driver", VERSIONS),
    Option("stats", str, "", "write the session's counters to this file, as JSON, when it ends"),
    Option("frames_in_flight", int, 3, "frames that the program may be ahead of the server; of presented ones two fewer, at least one, may be "
           "unfinished", (), 1, 64),
    Option("trace", str, "", "write what happened and when to this file, for ui.perfetto.dev and chrome://tracing"),
    Option("python", str, "", "interpreter that runs a spawned server, instead of the one mgpipe is installed for"),
    Option("log", str, "warning", "least severe message shown", ("debug", "info", "warning", "error")),
    Option("chaos", str, "", "failures that a test asks its server for: see docs/testing.md"),
    Option("verify", int, 0, "compare the front end's state with what was sent, before each verb (1), and contents, too (2)", (), 0, 2),
    Option("shader_cache", str, "", "folder that keeps compiled shaders, or off; by default mgpipe/shaders in the user's cache folder"),
    Option("shader_cache_mb", int, 256, "most that it keeps, in MiB", (), 1, 1 << 16),
    Option("shadow_limit_mb", int, 8192, "most memory for the client's copies of buffers and textures, in MiB", (), 1, 1 << 16),
)

# Read elsewhere; named here so that they are not taken for misspelt options.
OTHER_VARIABLES = ("MGPIPE_TOKEN", "MGPIPE_PRELOAD", "MGPIPE_RUN_REPORT", "MGPIPE_LIBEGL", "MGPIPE_DEVICE",
                   "MGPIPE_DRIVER_ERRORS", "MGPIPE_DRIVER_WITHOUT")


class InvalidOption(ValueError):
    """An option has a value it cannot take, or does not exist."""


def resolve(keywords: Mapping[str, Any], environment: Mapping[str, str]) -> dict[str, Any]:
    """The value of every option, from keywords, then MGPIPE_… variables, then defaults."""
    table = {option.name: option for option in OPTIONS}
    for name in keywords:
        if name not in table:
            raise InvalidOption(f"mgpipe has no option {name!r}{_nearest(name, table)}")
    values = {}
    for option in OPTIONS:
        if keywords.get(option.name) is not None:
            values[option.name] = _convert(option, keywords[option.name], option.name)
        elif environment.get(option.variable):
            values[option.name] = _convert(option, environment[option.variable], option.variable)
        else:
            values[option.name] = option.default
    if values["server"]:
        named = keywords.get("topology") or environment.get("MGPIPE_TOPOLOGY")
        if named not in (None, "", "remote"):
            raise InvalidOption(f"a server is given ({values['server']}), so topology cannot be {named}: leave one of them out")
        values["topology"] = "remote"
    return values


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """One sentence for each MGPIPE_ variable that nothing reads."""
    known = [*(option.variable for option in OPTIONS), *OTHER_VARIABLES]
    return [
        f"nothing reads {variable}{_nearest(variable, known)}"
        for variable in environment
        if variable.startswith("MGPIPE_") and variable not in known
    ]


def _convert(option: Option, value: Any, where: str) -> Any:
    try:
        value = option.kind(value)
    except (TypeError, ValueError):
        raise InvalidOption(f"{where} is {value!r}, which is no {option.kind.__name__}") from None
    if option.choices and value not in option.choices:
        raise InvalidOption(f"{where} is {value!r}; it can be {', '.join(option.choices)}{_nearest(value, option.choices)}")
    if option.kind is int and not option.least <= value <= option.most:
        raise InvalidOption(f"{where} is {value}; it can be {option.least} to {option.most}")
    return value


def _nearest(word: str, known: Any) -> str:
    import difflib

    near = difflib.get_close_matches(word, known, 1)
    return f". Did you mean {near[0]}?" if near else ""
