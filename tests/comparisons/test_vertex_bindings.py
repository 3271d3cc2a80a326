"""Formats of attributes and bindings of buffers, apart and at once, as on the direct driver."""


def test_vertex_bindings(compare):
    """Mesa takes a negative number of bindings for one beyond the last: another error."""
    compare("vertex_bindings", lambda question, ours, theirs: question == "count" and ours == "INVALID_VALUE")
