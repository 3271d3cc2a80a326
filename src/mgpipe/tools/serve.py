"""`mgpipe serve`: a render server for programs elsewhere. One process a session; SIGTERM lets the sessions there are end."""

import argparse
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
    from mgpipe.server.session import Admission, Limits
    from mgpipe.server.supervisor import Supervisor

    def admission() -> Admission:
        return Admission(
            token=read_token(asked.token_file), data=asked.data, tls=read_certificate(endpoint, asked.tls_cert, asked.tls_key),
            limits=Limits(asked.session_memory, asked.idle_timeout), confined=True)

    try:
        endpoint = endpoints.parse(asked.listen)
        admitted = admission()
    except ValueError as error:
        return complain(str(error), USAGE)
    if not admitted.token and not endpoint.is_guarded:
        return complain(
            f"{endpoint} can be reached from other machines, so clients must show a token: put at least {tokens.TOKEN_BYTES} random "
            "bytes into a file (openssl rand -hex 32 > token) and name it with --token-file, here and at the clients "
            "(MGPIPE_TOKEN_FILE)", USAGE)
    try:
        listener = endpoints.listen(endpoint)
    except OSError as error:
        return complain(f"cannot listen on {endpoint}: {error.strerror}", FAILED)
    if endpoint.kind != "unix":
        endpoint = endpoint._replace(port=listener.getsockname()[1])    # 0 asks for any

    def announce() -> None:
        print(f"mgpipe serve: listening on {endpoint} (data {asked.data}, at most {asked.max_sessions} sessions)", file=sys.stderr)
        if admitted.tls is not None:
            from mgpipe.control import relay

            print(f"mgpipe serve: certificate {relay.certificate_fingerprint(asked.tls_cert)}", file=sys.stderr)

    try:
        return Supervisor(listener, -1, admitted, asked.max_sessions, admission).serve(announce)
    finally:
        if endpoint.kind == "unix":
            os.unlink(endpoint.host)


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


def complain(sentence: str, status: int) -> int:
    print(f"mgpipe serve: {sentence}", file=sys.stderr)
    return status
