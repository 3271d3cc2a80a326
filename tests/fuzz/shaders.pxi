# The translator of shaders. Target `spirv`; part of targets.pyx.

cdef enum:
    SHADER_HEADER = 4           # bytes: stage, dialect, options, the stage generated behind it
    LONGEST_TEXT = 16 << 20

cdef int target_spirv(const uint8_t* data, size_t size) noexcept nogil:
    """The input is four bytes of choices and the words of a stage."""
    cdef specialise_options options
    cdef generate_options generated
    cdef spirv_constants constants
    cdef size_t count
    cdef uint32_t* words
    cdef char* text = NULL
    cdef uint32_t i
    if size < SHADER_HEADER + 4:
        return 0
    count = (size - SHADER_HEADER) // 4
    words = <uint32_t*>malloc(4 * count)
    memcpy(words, data + SHADER_HEADER, 4 * count)
    memset(&options, 0, sizeof(options))
    memset(&constants, 0, sizeof(constants))
    options.separable = data[2] & 1
    options.point_size = data[2] >> 1 & 1
    options.logic_op = 0x1500 + (data[2] >> 2 & 15) if data[2] & 4 else 0
    options.alpha_one = data[2] >> 6 & 1
    for i in range(32):
        options.image_formats[i] = 0x8058 if data[2] & 128 else 0       # GL_RGBA8
    spirv_to_dialect(words, count, data[0] % 6, SPIRV_ES if data[1] & 1 else SPIRV_DESKTOP, 320 if data[1] & 1 else 450, &options,
                     &constants if data[1] & 2 else NULL, &text)
    free(constants.moves)
    free(text)
    text = NULL
    if data[3] & 1:
        memset(&generated, 0, sizeof(generated))
        generated.stage = 1 if data[3] & 2 else 3
        generated.patch_vertices = data[3] >> 2 & 7
        generated.corners = 1 + (data[3] >> 2) % 3
        generated.shown_as = 1 + (data[3] >> 4) % 3
        generated.first_provokes = data[3] >> 6 & 1
        spirv_to_between(words, count, data[0] % 6, &generated, &text)
        free(text)
    free(words)
    tally.records += 1
    return 0


cdef size_t mutate_words(uint8_t* data, size_t size, size_t most, unsigned int seed_of) noexcept nogil:
    """Half of the time as libFuzzer does, else as something that knows words, ids and instructions would."""
    cdef uint64_t seed = seed_of + <uint64_t>1
    cdef uint64_t word = random_word(&seed)
    cdef uint32_t* words = <uint32_t*>(data + SHADER_HEADER)
    cdef size_t count = (size - SHADER_HEADER) // 4 if size > SHADER_HEADER else 0
    cdef size_t at, length, other
    if count < 8 or word & 1:
        return LLVMFuzzerMutate(data, size, most)
    at = <size_t>((word >> 8) % count)
    word = random_word(&seed)
    if word & 7 == 0:           # of the four choices
        data[(word >> 8) & 3] = <uint8_t>(word >> 16)
    elif word & 7 == 1:
        words[at] = <uint32_t>(word >> 16) % (words[3] + 2 if words[3] < 0x10000 else 0x10000)      # another id
    elif word & 7 == 2:
        words[at] ^= <uint32_t>1 << (word >> 8 & 31)
    elif word & 7 == 3:
        words[at] = words[<size_t>((word >> 8) % count)]
    elif word & 7 == 4:         # an instruction's length or operation
        words[at] = (words[at] & 0xFFFF) | (<uint32_t>(word >> 8) & 0x1F) << 16
    elif word & 7 == 5:
        words[at] = (words[at] & <uint32_t>0xFFFF0000) | (<uint32_t>(word >> 8) % <uint32_t>400)
    elif word & 7 == 6 and size + 64 <= most:       # some words again
        length = 1 + (word >> 8) % 12
        length = min(length, count - at)
        memmove(words + at + length, words + at, 4 * (count - at))
        size = SHADER_HEADER + 4 * (count + length)
    else:                       # without some words
        length = 1 + (word >> 8) % 12
        length = min(length, count - at)
        memmove(words + at, words + at + length, 4 * (count - at - length))
        size = SHADER_HEADER + 4 * (count - length)
    return size
