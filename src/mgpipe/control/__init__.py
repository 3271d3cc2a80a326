"""The control connection: its messages and their framing."""

# Set to True, once, by a server's process: it must never open a session of its own.
in_server = False
