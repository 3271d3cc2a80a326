"""A `mgpipe serve` of the tests' own."""

import os
import subprocess
import sys
from pathlib import Path


class Server:
    """Listens once this returns; `address` is what a client names."""

    def __init__(self, listen: str = "tcp://127.0.0.1:0", *flags: str, **environment: str) -> None:
        clean = {k: v for k, v in os.environ.items() if not k.startswith("MGPIPE_")}
        self.process = subprocess.Popen([sys.executable, "-m", "mgpipe", "serve", "--listen", listen, *flags],
                                        stderr=subprocess.PIPE, text=True, env=clean | environment)
        first = self.process.stderr.readline()
        self.address = first.partition("listening on ")[2].split(" ")[0]
        assert self.address, first + self.process.stderr.read()

    def sessions(self) -> list[int]:
        """Its processes: one a session, and for a moment one a connection that only brings a stream."""
        pid = self.process.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()
