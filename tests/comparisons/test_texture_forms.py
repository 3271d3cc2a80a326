"""Textures of every form are the direct driver's."""


def test_compressed_formats(compare):
    compare("compressed")


def test_blocks_really_reach_the_driver(answers_of):
    said = answers_of("direct", "")["compressed"]
    for question in ("RED_RGTC1 texels", "RGBA8_ETC2_EAC sampled", "RGBA_BPTC_UNORM texels"):
        assert len(set(said[question][1] if isinstance(said[question], tuple) else said[question])) > 8, question
