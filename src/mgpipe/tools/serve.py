"""`mgpipe serve`: a render server for programs elsewhere. One process a session; SIGTERM lets the sessions there are end."""

import argparse
import errno
import os
import sys
from typing import TYPE_CHECKING

import mgpipe.control
from mgpipe.control import endpoints, tokens

if TYPE_CHECKING:
    import ssl

USAGE = 2
FAILED = 70


def main(asked: argparse.Namespace) -> int:
    mgpipe.control.in_server = True
    from mgpipe.server.budget import Limits
    from mgpipe.server.devices import NoDriver, list_devices, select_devices
    from mgpipe.server.journal import INFO, WARNING, Journal
    from mgpipe.server.session import Admission
    from mgpipe.server.supervisor import Supervisor

    log = Journal("mgpipe serve", asked.log)
    limits = Limits(asked.session_memory, asked.session_shadow, asked.session_objects, asked.idle_timeout, asked.verb_timeout)

    def admission() -> Admission:
        return Admission(token=read_token(asked.token_file), data=asked.data, tls=read_certificate(endpoint, asked.tls_cert, asked.tls_key),
                         limits=limits, devices=devices, confined=True,
                         peer_timeout_s=asked.peer_timeout, chaos=asked.chaos)

    try:
        endpoint = endpoints.parse(asked.listen)
        devices = ()
        admitted = admission()
        metrics = listen_for_scrapes(asked.metrics)
        try:
            devices = tuple(select_devices(asked.gpu, list_devices()))
        except NoDriver as error:
            if asked.gpu != "auto":
                raise ValueError(f"--gpu is {asked.gpu}, and there is no driver: {error}") from None
            log.tell(WARNING, "no_driver", f"programs will be refused: {error}")
        admitted = admitted._replace(devices=devices)
    except ValueError as error:
        return complain(str(error), USAGE)
    except OSError as error:
        return complain(f"cannot answer scrapes at {asked.metrics}: {reason(error)}", FAILED)
    if not admitted.token and not endpoint.is_guarded:
        return complain(
            f"{endpoint} can be reached from other machines, so clients must show a token: put at least {tokens.TOKEN_BYTES} random "
            "bytes into a file (openssl rand -hex 32 > token) and name it with --token-file, here and at the clients "
            "(MGPIPE_TOKEN_FILE)", USAGE)
    try:
        listener = endpoints.listen(endpoint)
    except OSError as error:
        hint = "; is another server there? Name another with --listen, or end that one (ss -ltnp shows it)" if (
            error.errno == errno.EADDRINUSE) else ""
        return complain(f"cannot listen on {endpoint}: {reason(error)}{hint}", FAILED)
    if endpoint.kind != "unix":
        endpoint = endpoint._replace(port=listener.getsockname()[1])    # 0 asks for any

    def announce() -> None:
        log.tell(INFO, "listening", f"listening on {endpoint} (data {asked.data}, at most {asked.max_sessions} sessions)",
                 address=str(endpoint), data=asked.data, max_sessions=asked.max_sessions)
        if admitted.tls is not None:
            from mgpipe.control import relay

            shown = relay.certificate_fingerprint(asked.tls_cert)
            log.tell(INFO, "certificate", f"certificate {shown}", fingerprint=shown)
        if metrics is not None:
            host, port = metrics.getsockname()[:2]
            log.tell(INFO, "metrics", f"metrics at http://{host}:{port}/metrics", host=host, port=port)
        if devices:
            log.tell(INFO, "devices", f"drawing on {'; '.join(map(str, devices))}", devices=[device.number for device in devices])

    try:
        return Supervisor(listener, -1, admitted, asked.max_sessions, admission, log, metrics).serve(announce)
    finally:
        if endpoint.kind == "unix":
            os.unlink(endpoint.host)


def listen_for_scrapes(address: str) -> "socket.socket | None":
    """ValueError: it is no address, or what answers is not installed."""
    if not address:
        return None
    host, _, port = address.rpartition(":")
    host = host.removeprefix("[").removesuffix("]") or "127.0.0.1"
    if not port.isdecimal() or int(port) > 65535:
        raise ValueError(f"--metrics is {address!r}; it can be PORT or HOST:PORT")
    try:
        import mgpipe.server.metrics  # noqa: F401  here, once, rather than in each process that answers
    except ModuleNotFoundError as error:
        raise ValueError(f"--metrics needs {error.name}: pip install 'mgpipe[serve]'") from None
    import socket

    return socket.create_server((host, int(port)), family=socket.AF_INET6 if ":" in host else socket.AF_INET)


def read_certificate(endpoint: endpoints.Endpoint, certificate: str, key: str) -> "ssl.SSLContext | None":
    """What a tls:// address encrypts with. ValueError: missing, or cannot be used."""
    if endpoint.kind != "tls":
        if certificate:
            raise ValueError(f"a certificate is given, but {endpoint} does not encrypt; listen on tls://")
        return None
    if not certificate:
        raise ValueError(
            "tls:// needs --tls-cert (and --tls-key unless the file holds both). A self-signed one, which clients pin by the "
            "fingerprint printed here: openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 "
            "-subj /CN=mgpipe -keyout key.pem -out cert.pem")
    import ssl

    from mgpipe.control import relay

    try:
        return relay.server_context(certificate, key)
    except (OSError, ssl.SSLError) as error:
        raise ValueError(f"could not use the certificate {certificate}: {error}") from None


def read_token(path: str) -> bytes:
    """ValueError: too short, or unreadable."""
    try:
        token = tokens.read_token(path)
    except OSError as error:
        raise ValueError(f"could not read the token from {path}: {error.strerror}") from None
    if (path or token) and len(token) < tokens.TOKEN_BYTES:
        raise ValueError(f"the token has {len(token)} bytes; at least {tokens.TOKEN_BYTES} are needed")
    return token


def reason(error: OSError) -> str:
    """Without what Python adds; a name that cannot be resolved has no number of the system's."""
    return os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror or str(error)


def complain(sentence: str, status: int) -> int:
    print(f"mgpipe serve: {sentence}", file=sys.stderr)
    return status
