"""What tests may do to mgpipe, the project's own and those of its users."""


def drop_mirror() -> None:
    """Forget what the server holds for the session of the current context.

    The next verb deletes what the client owns there and makes it anew; contents that only the GPU has keep their place.
    A picture drawn around such a moment must not change.
    """
    from mgpipe.front import _gl

    _gl.drop_mirror()


def track_pages(on: bool) -> None:
    """Whether persistent mappings made from now on ask the kernel which pages were written, or compare their bytes."""
    from mgpipe.links import written

    written.allow(on)
