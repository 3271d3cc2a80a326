"""The control connection: its messages and their framing."""
