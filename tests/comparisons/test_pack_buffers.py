"""What reads put into pack buffers is the direct driver's, to the byte."""

import pytest


def test_packs(compare):
    compare("packs")


def test_the_comparison_sees_where_rows_lie(answers_of):
    said = answers_of("direct", "")["packs"]
    rows = {question: answer for question, answer in said.items() if question[:4] == ("pixels", "RGBA8", "RGB", "UNSIGNED_BYTE")}
    assert len(rows) == 10 and len(set(rows.values())) == 8    # 27 bytes: alignments 4 and 2 pad alike


def channels(data: bytes, type: str) -> list[float]:
    import array
    code = {"UNSIGNED_BYTE": "B", "BYTE": "b", "UNSIGNED_SHORT": "H", "FLOAT": "f", "UNSIGNED_INT": "I"}[type]
    return list(array.array(code, data[:len(data) // array.array(code).itemsize * array.array(code).itemsize]))


@pytest.mark.parametrize("internal", ["RGBA8", "RGB8", "RG8", "R32F", "RGBA32UI"])
def test_es_converts_what_it_does_not_read(answers_of, internal):
    """Whole, and off by a rounding at most where the value went through a normalised or a half number."""
    ours, theirs = answers_of("spawn", "gles", "packs")["packs"], answers_of("direct", "")["packs"]
    seen = 0
    for question, answer in theirs.items():
        if question[:1] not in (("pixels",), ("image",)) or question[1] != internal or question[2].startswith("DEPTH"):
            continue
        error, wanted = answer
        format, type, store = question[2:5]
        if "SWAP" in store or type not in ("UNSIGNED_BYTE", "BYTE", "UNSIGNED_SHORT", "FLOAT", "UNSIGNED_INT"):
            continue
        assert ours[question][0] == error
        got = ours[question][1]
        assert abs(len(got) - len(wanted)) <= 4, question
        far = {"UNSIGNED_SHORT": 257, "FLOAT": 0.005}.get(type, 1) if internal != "RGBA32UI" else 0
        assert all(abs(a - b) <= far for a, b in zip(channels(got, type), channels(wanted, type))), question
        seen += 1
    assert seen >= 6
