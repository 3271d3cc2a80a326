"""The token that a server asks for: a secret of at least 16 bytes, the same on both sides."""

import os

TOKEN_BYTES = 16        # the least
MOST_BYTES = 1024


def read_token(path: str) -> bytes:
    """From the file named, else from MGPIPE_TOKEN; empty when neither is there. OSError: the file cannot be read."""
    if not path:
        return os.environb.get(b"MGPIPE_TOKEN", b"")
    with open(path, "rb") as file:
        return file.read(MOST_BYTES).strip()
