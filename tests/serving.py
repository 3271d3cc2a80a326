"""A `mgpipe serve` of the tests' own, and the ways that lead to one."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

# What a program of moderngl's draws, after it has made `ctx`: `shape` out of `buffer`, into `target`.
TRIANGLE = """
program = ctx.program(vertex_shader="#version 330\\nin vec2 at; void main() { gl_Position = vec4(at, 0, 1); }",
                      fragment_shader="#version 330\\nout vec4 c; void main() { c = vec4(0, 1, 0, 1); }")
buffer = ctx.buffer(bytes(24))
shape = ctx.vertex_array(program, [(buffer, "2f", "at")])
target = ctx.simple_framebuffer((8, 8))
target.use()
"""

DATA = {"unix": "shm", "tcp": "stream", "tls": "stream"}    # the data plane that each kind of address is tested with


def make_certificate(folder: Path) -> Path:
    """A self-signed one, its key in the same file."""
    path = folder / "server.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
                    "2", "-subj", "/CN=mgpipe", "-keyout", f"{path}.key", "-out", path], check=True, capture_output=True)
    path.write_text(path.read_text() + Path(f"{path}.key").read_text())
    return path


class Server:
    """Listens once this returns; `address` is what a client names, `lines` what it has said so far."""

    def __init__(self, listen: str = "tcp://127.0.0.1:0", *flags: str, **environment: str) -> None:
        clean = {k: v for k, v in os.environ.items() if not k.startswith("MGPIPE_")}
        self.process = subprocess.Popen([sys.executable, "-m", "mgpipe", "serve", "--listen", listen, *flags],
                                        stderr=subprocess.PIPE, text=True, env=clean | environment)
        self.lines: list[str] = []
        self.hearing = threading.Thread(target=self._hear, daemon=True)
        self.hearing.start()
        self.address = self.says("listening on ", 60).partition("listening on ")[2].split(" ")[0]
        self.pin = self.says("certificate sha256:").split()[-1] if self.address.startswith("tls:") else ""

    def _hear(self) -> None:
        for line in self.process.stderr:        # or the pipe would fill, and the server's lines be dropped
            self.lines.append(line.rstrip("\n"))

    def says(self, words: str, within_s: float = 20.0) -> str:
        """The first line with these words; waits for it."""
        deadline = time.monotonic() + within_s
        while True:
            ended = self.process.poll() is not None and not self.hearing.is_alive()
            for line in list(self.lines):
                if words in line:
                    return line
            assert time.monotonic() < deadline and not ended, f"it never said {words!r}, but {self.lines}"
            time.sleep(0.005)

    def sessions(self) -> list[int]:
        """Its processes: one a session, and for a moment one a connection that only brings a stream."""
        pid = self.process.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self.hearing.join(10)
        self.process.stderr.close()


class Servers:
    """One server for each kind of address, started when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.started: dict[str, Server] = {}
        self.lock = threading.Lock()

    def options(self, kind: str) -> dict[str, str]:
        """The options of a client, by name, that lead to it: "unix" over shared memory, "tcp" and "tls" as a stream."""
        with self.lock:
            if kind not in self.started:
                listen = f"unix:{self.folder}/server.sock" if kind == "unix" else f"{kind}://127.0.0.1:0"
                flags = ["--tls-cert", str(make_certificate(self.folder))] if kind == "tls" else []
                self.started[kind] = Server(listen, *flags)
            server = self.started[kind]
        return {"server": server.address, "data": DATA[kind], **({"tls_pin": server.pin} if server.pin else {})}

    def end(self) -> None:
        for server in self.started.values():
            server.end()
