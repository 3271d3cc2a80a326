"""Dispatches, images, indirect draws and the program interface query answer as the direct driver does."""


def test_compute(compare):
    compare("compute")


def test_draw_parameters(compare):
    compare("draw_parameters")


def test_interfaces(compare):
    """Two answers of Mesa's are its own: it rounds the size of storage blocks up to 16 bytes, where the specification asks
    for the least that holds them, and says of a block of whose array the shader only reads that it is not referenced."""
    def near(question: str, ours, theirs) -> bool:
        if "SHADER_STORAGE_BLOCK" in question and question.endswith("BUFFER_DATA_SIZE"):
            return (ours[0][0] + 15) // 16 * 16 == theirs[0][0]
        return question.endswith("From REFERENCED_BY_COMPUTE_SHADER") or question.endswith("from[0] REFERENCED_BY_COMPUTE_SHADER")

    compare("interfaces", near)
