"""Mappings, immutable storage, fills: commands, errors and bytes are the direct driver's."""


def test_maps(compare):
    compare("maps")


def test_es_maps_alike(answers_of):
    """Nothing of this is in the driver's hands but fills, copies and draws."""
    ours, theirs = answers_of("spawn", "gles", "maps")["maps"], answers_of("direct", "")["maps"]
    wrong = {q: (ours[q], theirs[q]) for q in theirs if ours[q] != theirs[q]}
    assert not wrong, f"{len(wrong)} differ: {str(wrong)[:2000]}"


def test_the_comparison_sees_each_change(answers_of):
    said = answers_of("direct", "")["maps"]
    pictures = [said[f"drawn {what}"] for what in ("first", "vertex", "tint", "texel", "index")]
    assert len(set(pictures)) == 5 and said["drawn again"] == pictures[-1]
    assert len({answer[1] for question, answer in said.items() if question[0] == "part"}) == 10   # nine values, and zeros
