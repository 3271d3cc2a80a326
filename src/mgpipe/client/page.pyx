# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Reading the client's page of a session, whoever wrote it."""

from libc.string cimport memcpy

from mgpipe.links.pages cimport PAGE_BYTES, page_is_known, page_new, page_text

if sizeof(ClientPage) > PAGE_BYTES:
    raise ImportError("the client's counters do not fit on a page")

NAME = "mgpipe-client"      # of the memory file
TOPOLOGY_NAMES = ("monolith", "inproc", "spawn", "remote")


cdef ClientPage* client_page_new(int* descriptor) noexcept nogil:
    return <ClientPage*>page_new(b"mgpipe-client", sizeof(ClientPage), descriptor)


def read_page(bytes copy) -> dict | None:
    """All that a copy of such a page says; numbers are numbers, texts bounded and printable. None: it is no such page of this
    build."""
    cdef ClientPage page
    if len(copy) != PAGE_BYTES or not page_is_known(<const unsigned char*><const char*>copy, sizeof(ClientPage)):
        return None
    memcpy(&page, <const char*>copy, sizeof(ClientPage))
    return {
        "label": page.head.label, "since_ns": page.head.since_ns, "topology": TOPOLOGY_NAMES[page.topology] if page.topology < len(TOPOLOGY_NAMES) else "unknown",
        "server_pid": page.server_pid,
        "lost": page.lost, "threads": [thread for thread in page.threads if thread], "applied": page.applied,
        "frame_ends": [page.frame_ends[n] for n in range(FRAME_RING)], "frames_in_flight": page.frames_in_flight,
        "driver": page_text(page.driver, sizeof(page.driver)), "link": page_text(page.link, sizeof(page.link)),
        "renderer": page_text(page.renderer, sizeof(page.renderer)), "server": page_text(page.server, sizeof(page.server)),
        "shadow_bytes": page.shadow_bytes,
        "counted": {**<object>page.stats, "sent_bytes": page.sent_bytes, "received_bytes": page.received_bytes},
    }
