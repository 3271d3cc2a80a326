"""`mgpipe run`: start a program with the preload on, wait for it, give its status back.

The parent stays: it forwards signals, and it notices when nothing in the program ever loaded mgpipe, which would
otherwise look like success on the machine's own driver.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile

from mgpipe.catalogue import options as option_table
from mgpipe.tools.cli import chosen_environment

UNREACHED = 70      # EX_SOFTWARE: mgpipe could not attach
USAGE = 2


def main(asked: argparse.Namespace) -> int:
    command = asked.command[1:] if asked.command[:1] == ["--"] else asked.command
    if not command:
        return complain("no program given. Example: mgpipe run -- python program.py", USAGE)
    options = chosen_environment(asked)
    try:
        option_table.resolve({}, os.environ | options)
    except option_table.InvalidOption as error:
        return complain(str(error), USAGE)
    for written in ("MGPIPE_STATS", "MGPIPE_TRACE"):
        if options.get(written):
            options[written] = os.path.abspath(options[written])    # the program may change its folder
    if trace := options.get("MGPIPE_TRACE"):
        from mgpipe.client import errors, tracefile

        try:
            tracefile.check(trace)
        except errors.TraceFailed as error:
            return complain(str(error), USAGE)
    with tempfile.NamedTemporaryFile(prefix="mgpipe-run-") as reached:
        environment = os.environ | options | {"MGPIPE_PRELOAD": "1", "MGPIPE_RUN_REPORT": reached.name}
        try:
            program = subprocess.Popen(command, env=environment)
        except OSError as error:
            return complain(f"{command[0]}: {error.strerror}", 127 if isinstance(error, FileNotFoundError) else 126)
        forward_signals(program)
        status = program.wait()
        if not reached.read():
            complain(
                f"{command[0]} ended without ever loading mgpipe: it ran on this machine's own driver, or drew nothing. "
                f"Is mgpipe installed for the Python it runs with? Here it is in {sys.prefix}; `python -S` skips it."
            )
            return status or UNREACHED
    return status if status >= 0 else 128 - status      # killed by a signal: as a shell says it


def forward_signals(program: subprocess.Popen) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)        # the terminal sends it to the whole foreground group
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(number, lambda received, _: program.send_signal(received))


def complain(sentence: str, status: int = UNREACHED) -> int:
    print(f"mgpipe run: {sentence}", file=sys.stderr)
    return status
