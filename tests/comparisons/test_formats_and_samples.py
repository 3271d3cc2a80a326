"""What formats can do, and where samples lie, as the direct driver says it."""

# Mesa answers these without looking at the target or the format (or, of types and formats of images, always the same one).
BY_RULE_OF_THUMB = {
    "FRAMEBUFFER_RENDERABLE_LAYERED", "FRAMEBUFFER_BLEND", "READ_PIXELS", "READ_PIXELS_FORMAT", "READ_PIXELS_TYPE", "TEXTURE_IMAGE_TYPE",
    "GET_TEXTURE_IMAGE_TYPE", "SRGB_WRITE", "SRGB_READ", "SHADER_IMAGE_ATOMIC", "IMAGE_FORMAT_COMPATIBILITY_TYPE", "MIPMAP",
    "SIMULTANEOUS_TEXTURE_AND_DEPTH_WRITE", "SIMULTANEOUS_TEXTURE_AND_STENCIL_WRITE", "INTERNALFORMAT_STENCIL_TYPE",
    "TEXTURE_COMPRESSED_BLOCK_WIDTH", "TEXTURE_COMPRESSED_BLOCK_HEIGHT",
}
WITHOUT_TRANSFERS = {"TEXTURE_BUFFER", "RENDERBUFFER", "TEXTURE_2D_MULTISAMPLE", "TEXTURE_2D_MULTISAMPLE_ARRAY"}


def differs_here(question: str) -> bool:
    """Formats and targets that mgpipe does not put together: shared exponents as attachments, depth in 3D, blocks in 1D, in 3D and
    with several samples."""
    target, format, asked = question.split()
    return (asked in BY_RULE_OF_THUMB or format in ("RGB9_E5", "STENCIL_INDEX8")
            or (target == "TEXTURE_3D" and format.startswith(("DEPTH", "COMPRESSED")))
            or (target.startswith(("TEXTURE_1D", "TEXTURE_RECTANGLE", "TEXTURE_2D_MULTISAMPLE")) and format.startswith("COMPRESSED"))
            or (target == "TEXTURE_BUFFER" and asked.endswith("_RENDERABLE"))
            or (target == "RENDERBUFFER" and asked == "FILTER")
            or (target in WITHOUT_TRANSFERS and asked in ("TEXTURE_IMAGE_FORMAT", "GET_TEXTURE_IMAGE_FORMAT")))


def test_samples(compare):
    compare("samples")


def test_internal_formats(compare):
    compare("internal_formats", lambda question, ours, theirs: " " in question and differs_here(question))
