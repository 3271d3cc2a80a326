"""Commands that name their object do what the direct driver's do, and leave every binding as it was."""


# The specification's errors (8.14.4, 2.3.1), which Mesa takes for others.
OTHERS = {"textures: mipmaps of samples": "INVALID_OPERATION", "vertices: uniform into -1 bytes": "INVALID_VALUE"}


def test_named_objects(compare):
    compare("named", lambda question, ours, theirs: question in OTHERS and OTHERS[question] in (ours, ours[-1]))


def test_nothing_stays_bound(answers_of):
    said = answers_of("spawn", "gl")["named"]
    assert all(said[f"{part}: what was bound is"] for part in ("buffers", "textures", "framebuffers"))
