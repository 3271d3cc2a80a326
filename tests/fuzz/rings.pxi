# A ring whose client writes what it likes. Target `ring`; part of targets.pyx.

cdef enum:
    RING_CAPACITY = 1024
    RING_MOST = 8192
    RECORD_MOST = 2048          # smaller than a server's, so that the guards are near

cdef int target_ring(const uint8_t* data, size_t size) noexcept nogil:
    """The input is what a client does to its ring: bytes to a place, cursors, words of the page."""
    cdef Choices choices
    cdef Bench bench
    cdef Ring ring
    cdef pipe_reply reply
    cdef uint8_t* record = <uint8_t*>malloc(RECORD_MOST)
    cdef uint8_t* memory = <uint8_t*>calloc(1, RING_MOST)
    cdef uint8_t* pages = <uint8_t*>calloc(1, sizeof(ControlPage) + 4096)
    cdef ControlPage* page = <ControlPage*>((<uintptr_t>pages + 4095) & ~<uintptr_t>4095)
    cdef uint64_t at, ordinal = 0
    cdef uint32_t length, i
    cdef int64_t taken = 0
    choices.at = data
    choices.left = size
    choices.seed = 0
    bench_open(&bench)
    ring_page_init(page)
    ring_attach(&ring, page, memory, RING_CAPACITY, RING_MOST, NULL, NULL)
    while not ended(&choices) and taken >= 0:
        i = below(&choices, 8)
        if i == 0:
            memset(<uint8_t*>page + 8 * below(&choices, 64), <int>chosen(&choices, 1), 8)
        elif i == 1:
            store_release(&page.head, chosen(&choices, 8))
        elif i == 2:
            store_release(&page.head, page.head + 8 * below(&choices, 256))
        else:       # what an honest client would do: bytes at the head, then the cursor
            length = (8 + below(&choices, 256)) & ~<uint32_t>7
            length = <uint32_t>min(<uint64_t>length, choices.left)
            at = (page.head - ring.base) & (RING_MOST - 1)
            length = <uint32_t>min(<uint64_t>length, RING_MOST - at)
            memcpy(memory + at, choices.at, length)
            choices.at += length
            choices.left -= length
            store_release(&page.head, page.head + ((length + 7) & ~7))
        if ring_poll_records(&ring) < 0:
            break
        while True:
            taken = ring_take(&ring, record, RECORD_MOST)
            if taken <= 0:
                break
            ordinal += 1
            apply_copy(&bench, record, <uint32_t>taken, &reply)
            ring_post_reply(&ring, ordinal, &reply)
            ring_note_applied(&ring, ordinal)
    bench_close(&bench)
    free(record)
    free(memory)
    free(pages)
    return 0
