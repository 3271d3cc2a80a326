"""TLS beside the data path: a process of its own that encrypts between a Unix socket and a TCP connection.

Sessions, rings and streams know plain sockets only. Each end of a `tls://` connection has a relay, so no Python and no
cipher is ever on the way of a record inside the program's process or the session's.
"""

import hashlib
import os
import select
import socket
import ssl
import sys

CHUNK_BYTES = 256 << 10
HANDSHAKE_S = 10.0


class UntrustedServer(Exception):
    """Its certificate is signed by nobody we trust, and is not the pinned one."""


def fingerprint(certificate_der: bytes) -> str:
    return "sha256:" + hashlib.sha256(certificate_der).hexdigest()


def server_context(certificate: str, key: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.load_cert_chain(certificate, key or None)
    return context


def certificate_fingerprint(path: str) -> str:
    """Of the first certificate in a PEM file."""
    with open(path) as file:
        text = file.read()
    begin, end = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"
    return fingerprint(ssl.PEM_cert_to_DER_cert(text[text.index(begin) : text.index(end) + len(end)] + "\n"))


def shake_hands(stream: socket.socket, host: str, pin: str) -> ssl.SSLSocket:
    """The client's half. With a pin only that certificate will do, whoever signed it; else a trusted authority must have."""
    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    if pin:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE     # compared below, before a byte of ours is sent
    stream.settimeout(HANDSHAKE_S)
    try:
        encrypted = context.wrap_socket(stream, server_hostname=host)
    except ssl.SSLCertVerificationError as error:
        raise UntrustedServer(f"its certificate is not trusted ({error.verify_message}); if you know it, pin it: "
                              "MGPIPE_TLS_PIN=sha256:… as `mgpipe serve` printed") from None
    shown = fingerprint(encrypted.getpeercert(binary_form=True))
    if pin and shown != pin:
        raise UntrustedServer(f"it shows the certificate {shown}, not the pinned {pin}")
    return encrypted


def pump(encrypted: ssl.SSLSocket, plain: socket.socket) -> None:
    """Bytes both ways until either side ends."""
    encrypted.setblocking(False)
    plain.setblocking(False)
    inward, outward = bytearray(), bytearray()      # decrypted, for `plain`; plain, for `encrypted`
    while True:
        want_read = [stream for stream, waiting in ((encrypted, inward), (plain, outward)) if len(waiting) < CHUNK_BYTES]
        want_write = [stream for stream, waiting in ((plain, inward), (encrypted, outward)) if waiting]
        if not (encrypted.pending() and encrypted in want_read):
            ready_read = select.select(want_read, want_write, [])[0]
        else:
            ready_read = [encrypted]
        for stream, waiting in ((encrypted, inward), (plain, outward)):
            if stream in ready_read:
                try:
                    received = stream.recv(CHUNK_BYTES)
                except (ssl.SSLWantReadError, ssl.SSLWantWriteError, BlockingIOError):
                    continue
                if not received:
                    drain(plain if stream is encrypted else encrypted, waiting)
                    return
                waiting += received
        for stream, waiting in ((plain, inward), (encrypted, outward)):
            if waiting:
                try:
                    sent = stream.send(waiting)
                except (ssl.SSLWantReadError, ssl.SSLWantWriteError, BlockingIOError):
                    continue
                del waiting[:sent]


def drain(stream: socket.socket, waiting: bytearray) -> None:
    """The other side ended: what it said last still goes out."""
    stream.settimeout(HANDSHAKE_S)
    if waiting:
        stream.sendall(waiting)


def run(encrypted: ssl.SSLSocket, plain: socket.socket) -> None:
    try:
        pump(encrypted, plain)
    except (OSError, ssl.SSLError):
        pass    # either side hung up, which the other hears by our own hang-up


def main() -> None:
    """`python -m mgpipe.control.relay HOST PIN`, descriptors 3 (TCP), 4 (plain), 5 (one line: empty, or what went wrong)."""
    host, pin = sys.argv[1:3]
    try:
        encrypted = shake_hands(socket.socket(fileno=3), host, pin)
    except (OSError, UntrustedServer) as error:
        os.write(5, (str(error) or type(error).__name__).encode()[:500])
        return
    os.close(5)
    run(encrypted, socket.socket(fileno=4))


if __name__ == "__main__":
    main()
