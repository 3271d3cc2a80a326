"""What formats can do, and where samples lie, as the direct driver says it."""


def test_samples(compare):
    compare("samples")
