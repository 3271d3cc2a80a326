"""A `mgpipe serve` of the tests' own, and the ways that lead to one."""

import os
import subprocess
import sys
from pathlib import Path

DATA = {"unix": "shm", "tcp": "stream", "tls": "stream"}    # the data plane that each kind of address is tested with


def make_certificate(folder: Path) -> Path:
    """A self-signed one, its key in the same file."""
    path = folder / "server.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
                    "2", "-subj", "/CN=mgpipe", "-keyout", f"{path}.key", "-out", path], check=True, capture_output=True)
    path.write_text(path.read_text() + Path(f"{path}.key").read_text())
    return path


class Server:
    """Listens once this returns; `address` is what a client names."""

    def __init__(self, listen: str = "tcp://127.0.0.1:0", *flags: str, **environment: str) -> None:
        clean = {k: v for k, v in os.environ.items() if not k.startswith("MGPIPE_")}
        self.process = subprocess.Popen([sys.executable, "-m", "mgpipe", "serve", "--listen", listen, *flags],
                                        stderr=subprocess.PIPE, text=True, env=clean | environment)
        first = self.process.stderr.readline()
        self.address = first.partition("listening on ")[2].split(" ")[0]
        assert self.address, first + self.process.stderr.read()
        self.pin = self.process.stderr.readline().split()[-1] if self.address.startswith("tls:") else ""

    def sessions(self) -> list[int]:
        """Its processes: one a session, and for a moment one a connection that only brings a stream."""
        pid = self.process.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()


class Servers:
    """One server for each kind of address, started when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.started: dict[str, Server] = {}

    def options(self, kind: str) -> dict[str, str]:
        """The options of a client, by name, that lead to it: "unix" over shared memory, "tcp" and "tls" as a stream."""
        if kind not in self.started:
            listen = f"unix:{self.folder}/server.sock" if kind == "unix" else f"{kind}://127.0.0.1:0"
            flags = ["--tls-cert", str(make_certificate(self.folder))] if kind == "tls" else []
            self.started[kind] = Server(listen, *flags)
        server = self.started[kind]
        return {"server": server.address, "data": DATA[kind], **({"tls_pin": server.pin} if server.pin else {})}

    def end(self) -> None:
        for server in self.started.values():
            server.end()
