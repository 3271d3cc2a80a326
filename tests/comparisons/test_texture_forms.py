"""Textures of every form are the direct driver's."""

import struct

import pytest

# Formats whose last bit a driver may round either way when it converts: distance of two neighbours, of floats relative.
STEP = {"R16": 1 / 65535, "RGBA16": 1 / 65535, "RGBA4": 1 / 15, "RGB10_A2": 1 / 1023}
LAST_BIT = {"R16F": 2**-10, "RGB16F": 2**-10, "RGBA16F": 2**-10, "R11F_G11F_B10F": 2**-5, "RGB9_E5": 2**-8,
            "DEPTH_COMPONENT24": 2**-22}


def test_compressed_formats(compare):
    compare("compressed")


def floats_near(question, ours, theirs):
    """Texels read as floats that differ in the last bit of their format."""
    if question.startswith("formats: DEPTH32F_STENCIL8"):
        read = [struct.unpack("<64I", answer[1][1][:256]) for answer in (ours, theirs)]
        return all(abs((a >> 8) - (b >> 8)) <= 1 and a & 255 == b & 255 for a, b in zip(*read, strict=True))
    name = question.split()[1]
    error, step = LAST_BIT.get(name, 2**-18), STEP.get(name, 0) * 1.001
    read = [struct.unpack("<256f", answer[1][1]) for answer in (ours, theirs)]
    return ours[0] == theirs[0] and all(abs(a - b) <= max(error * max(abs(a), abs(b)), step) for a, b in zip(*read, strict=True))


def test_views(compare):
    compare("texture_views")


def test_copies_of_images(compare):
    compare("image_copies")


def test_clears(compare):
    compare("texture_clears", near=lambda question, *answers: question.startswith("formats: ") and floats_near(question, *answers))


def test_clears_really_clear(answers_of):
    said = answers_of("direct", "")["texture_clears"]
    assert len({said[f"formats: {name} FLOAT"] for name in ("R8", "RGBA8", "RGBA32F", "DEPTH_COMPONENT24")}) == 4
    assert said["formats: RGBA8 FLOAT"] != said["formats: RGBA8 zero"]


def test_blocks_really_reach_the_driver(answers_of):
    said = answers_of("direct", "")["compressed"]
    for question in ("RED_RGTC1 texels", "RGBA8_ETC2_EAC sampled", "RGBA_BPTC_UNORM texels"):
        assert len(set(said[question][1] if isinstance(said[question], tuple) else said[question])) > 8, question


def differing(ours, theirs):
    return [question for question in theirs if ours[question] != theirs[question]]


@pytest.mark.parametrize("walk", ["texture_views", "image_copies"])
def test_forms_survive_a_mirror_that_is_dropped(answers_of, walk):
    """Views share their storage again, copies and clears keep what they made."""
    assert differing(answers_of("monolith", "gl", walk, WALK_DROPS="1")[walk], answers_of("monolith", "gl")[walk]) == []


def test_forms_in_verify_mode(answers_of):
    names = ("texture_views", "image_copies", "texture_clears")
    said = answers_of("monolith", "gl", *names, MGPIPE_VERIFY="2")
    assert {name: differing(said[name], answers_of("monolith", "gl")[name]) for name in names} == {name: [] for name in names}


def test_texels_out_of_buffers_that_the_gpu_wrote(compare):
    compare("unpacks")


def test_texels_out_of_buffers_on_opengl_es(answers_of):
    assert differing(answers_of("monolith", "gles", "unpacks")["unpacks"], answers_of("direct", "")["unpacks"]) == []


def test_rgtc_on_opengl_es(answers_of):
    """Kept as texels: what blocks stand for is the same, errors are; what a driver compresses is its own choice."""
    ours, theirs = answers_of("monolith", "gles", "compressed")["compressed"], answers_of("direct", "")["compressed"]
    asked = [q for q in theirs if "RGTC" in q and "in texels" not in q and not q.endswith((" compressed", " part"))]
    assert len(asked) > 40
    for question in asked:
        if question.endswith(" sampled"):
            count = len(theirs[question]) // 4
            pairs = zip(struct.unpack(f"<{count}f", ours[question]), struct.unpack(f"<{count}f", theirs[question]), strict=True)
            assert max(abs(a - b) for a, b in pairs) < 1 / 127, question
        elif question.endswith(" texels"):
            count = len(theirs[question][1]) // 4
            pairs = zip(struct.unpack(f"<{count}f", ours[question][1]), struct.unpack(f"<{count}f", theirs[question][1]), strict=True)
            assert max(abs(a - b) for a, b in pairs) < 1 / 127 and ours[question][0] == "", question
        else:
            assert ours[question] == theirs[question], question
