"""Enum sets that payload fields are checked against: small dense numbers of ours, or OpenGL's own values."""
