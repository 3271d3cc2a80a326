# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Transform feedback: what programs capture, captures, draws of what was captured.

Varyings go to the driver by name: SPIRV-Cross keeps the names of outputs. Each client object is a driver's transform
feedback object, which remembers where a paused capture stands.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.stdio cimport snprintf
from libc.string cimport memcpy, strlen, strncmp
from driver_gl cimport *
from pipe cimport *
from mgpipe.backends.driver cimport DIALECT_GL, DIALECT_GLES
from mgpipe.backends.espryt.draws cimport prepare_draw
from mgpipe.backends.espryt.espryt cimport *
from mgpipe.backends.espryt.framebuffers cimport bind_draw
from mgpipe.backends.espryt.programs cimport apply_program
from mgpipe.backends.espryt.state cimport apply_state
from mgpipe.backends.espryt.variants cimport set_draw_uniforms
from mgpipe.shaders._spirv_cross cimport SPIRV_FEEDBACK_NAMES

cdef enum:
    LARGEST_NAMES = 1 << 16         # bytes of one program's names, far above what any limit lets through
    MOST_NAMES = SPIRV_FEEDBACK_NAMES
    TARGETS = 4


cdef void install_feedback(BackEnd* table) noexcept nogil:
    table.begin_stream_output = begin_stream_output
    table.end_stream_output = end_stream_output
    table.pause_stream_output = pause_stream_output
    table.resume_stream_output = resume_stream_output
    table.delete_stream_output = delete_stream_output
    table.draw_stream_output = draw_stream_output


# -- of programs

cdef bint is_name(uint8_t letter) noexcept nogil:
    return (c"a" <= letter <= c"z" or c"A" <= letter <= c"Z" or c"0" <= letter <= c"9" or letter == c"_" or letter == c"."
            or letter == c"[" or letter == c"]")


cdef void feedback_set(Espryt* es, Program* program, uint32_t mode, const uint8_t* text, uint64_t size) noexcept nogil:
    """The text is copied before it is looked at: the client can still write it."""
    cdef char* copy
    cdef uint32_t i, count = 0, separators = 0
    if mode == PIPE_FEEDBACK_MODE_NONE or size == 0:
        return
    copy = <char*>malloc(size) if size <= LARGEST_NAMES else NULL
    if copy == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_BLOB_SIZE, b"create_shader_state.feedback")
        return
    memcpy(copy, text, size)
    for i in range(<uint32_t>size):
        if copy[i] == 0:
            count += 1
        elif not is_name(<uint8_t>copy[i]):
            count = MOST_NAMES + 1
            break
    if count > MOST_NAMES or copy[size - 1] != 0:
        free(copy)
        es.host.fault(es.host.self, PIPE_FAULT_VALUE_OUT_OF_RANGE, b"create_shader_state.feedback: no list of names")
        return
    program.feedback_mode = mode
    program.feedback_count = count
    program.feedback = copy
    program.feedback_targets = 0
    for i in range(count):
        if strncmp(copy, b"gl_NextBuffer", 14) == 0:
            separators += 1
        else:
            program.feedback_targets |= <uint32_t>1 << ((separators if mode == PIPE_FEEDBACK_MODE_INTERLEAVED else i) & 31)
        copy += strlen(copy) + 1


cdef bint name_feedback(Espryt* es, Program* program, GLuint name, const uint32_t* widened) noexcept nogil:
    """`widened`: a bit for each name whose doubles the stage writes into an output that is not the program's."""
    cdef const char* names[MOST_NAMES]
    cdef char outputs[MOST_NAMES][20]
    cdef char* at = program.feedback
    cdef uint32_t i, count = 0
    cdef bint es_dialect = es.driver.dialect == DIALECT_GLES, apart = es_dialect and one_a_buffer(program)
    for i in range(program.feedback_count):
        if es_dialect and (strncmp(at, b"gl_SkipComponents", 17) == 0 or not apart and strncmp(at, b"gl_NextBuffer", 13) == 0):
            es.host.unimplemented(es.host.self, b"create_shader_state", b"gl_SkipComponents, and gl_NextBuffer behind several outputs, on OpenGL ES")
            return False
        names[count] = at
        if widened[i // 32] >> i % 32 & 1:
            snprintf(outputs[i], sizeof(outputs[i]), "mgpipe_wide_%u", i)
            names[count] = outputs[i]
        if not apart or strncmp(at, b"gl_NextBuffer", 13) != 0:
            count += 1
        at += strlen(at) + 1
    gl_of(es).TransformFeedbackVaryings(name, count, <const char* const*>names,
                                        <GLenum>GL_SEPARATE_ATTRIBS if apart else program.feedback_mode)
    return True


cdef bint one_a_buffer(Program* program) noexcept nogil:
    """Every second name is gl_NextBuffer: the rest is captured as separate outputs are."""
    cdef char* at = program.feedback
    cdef uint32_t i
    for i in range(program.feedback_count):
        if (strncmp(at, b"gl_NextBuffer", 13) == 0) != (i % 2 == 1):
            return False
        at += strlen(at) + 1
    return program.feedback_count % 2 == 1 and program.feedback_count > 1


# -- captures

cdef Context* owner(Espryt* es, StreamOutput* it, const char* call) noexcept nogil:
    """The bound context, if the object is its own."""
    if es.bound == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_NO_CONTEXT, call)
    elif it.context != es.bound.serial:
        es.host.fault(es.host.self, PIPE_FAULT_WRONG_OBJECT, call)
    else:
        return es.bound
    return NULL


cdef void bind(Espryt* es, Context* ctx, StreamOutput* it) noexcept nogil:
    if ctx.stream_output != it.name:
        gl_of(es).BindTransformFeedback(GL_TRANSFORM_FEEDBACK, it.name)
        ctx.stream_output = it.name


cdef void begin_stream_output(void* self, const pipe_begin_stream_output* p, void* stream_output, void* shader,
                              const pipe_BufferRange* ranges, void** ranges_resource) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef StreamOutput* it = <StreamOutput*>stream_output
    cdef Program* program = <Program*>shader
    cdef Resource* buffer
    cdef Context* ctx
    cdef uint32_t i
    if it.serial == 0 and es.bound != NULL:
        it.serial = new_serial(es)
        it.context = es.bound.serial
        gl_of(es).GenTransformFeedbacks(1, &it.name)
    ctx = owner(es, it, b"begin_stream_output")
    if ctx == NULL:
        return
    if it.active or alive(&ctx.capture) != NULL or alive(&ctx.program) != program:
        es.host.fault(es.host.self, PIPE_FAULT_WRONG_OBJECT, b"begin_stream_output: one is active, or the program is not bound")
        return
    if p.mode != GL_POINTS and p.mode != GL_LINES and p.mode != GL_TRIANGLES:
        es.host.fault(es.host.self, PIPE_FAULT_VALUE_OUT_OF_RANGE, b"begin_stream_output.mode")
        return
    for i in range(p.count):
        buffer = <Resource*>ranges_resource[i]
        if buffer != NULL and buffer.kind != PIPE_RESOURCE_TARGET_BUFFER:
            es.host.fault(es.host.self, PIPE_FAULT_WRONG_OBJECT, b"begin_stream_output.ranges: not a buffer")
            return
    # Everything as for a draw of this kind: what a program's text depends on must not change before the end.
    if not prepare_program(es, ctx, p.mode):
        return
    if ctx.variant.key.corners:
        es.host.unimplemented(es.host.self, b"begin_stream_output", b"polygon modes and first provoking vertices while capturing on OpenGL ES")
        return
    if program.feedback_mode == PIPE_FEEDBACK_MODE_NONE or program.feedback_targets >> TARGETS:
        es.host.fault(es.host.self, PIPE_FAULT_NOT_SUPPLIED, b"begin_stream_output.shader: it captures nothing")
        return
    for i in range(TARGETS):
        if program.feedback_targets >> i & 1 and (i >= p.count or ranges_resource[i] == NULL):
            es.host.fault(es.host.self, PIPE_FAULT_NOT_SUPPLIED, b"begin_stream_output.ranges: a buffer that the program needs")
            return
    bind(es, ctx, it)
    it.written = it.uncounted = it.to_add = 0
    start_counting(es, ctx, it)
    for i in range(p.count):
        if ranges_resource[i] != NULL:
            gpu_writes_to(es, <Resource*>ranges_resource[i])
        bind_target(es, i, <Resource*>ranges_resource[i], &ranges[i])
    gl_of(es).BeginTransformFeedback(p.mode)
    it.active = 1
    it.paused = 0
    it.mode = p.mode
    it.program_serial = program.serial
    it.variant_serial = ctx.variant.serial
    ctx.capture = ref_to(it)


cdef bint prepare_program(Espryt* es, Context* ctx, uint32_t mode) noexcept nogil:
    bind_draw(es, ctx)
    ctx.dirty = ctx.dirty & ~<uint32_t>DIRTY_FRAMEBUFFER | DIRTY_PROGRAM
    ctx.mode = mode
    return apply_state(es, ctx, b"begin_stream_output") and apply_program(es, ctx)


cdef void bind_target(Espryt* es, uint32_t i, Resource* buffer, const pipe_BufferRange* r) noexcept nogil:
    """A driver captures as much as there is room for; beyond the buffer's end there is none."""
    cdef uint64_t room
    if buffer == NULL:
        gl_of(es).BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, i, 0)
        return
    room = buffer.size - r.offset if r.offset < buffer.size else 0
    if room < 4 or r.size < 4:
        gl_of(es).BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, i, no_room(es))
    elif r.offset == 0 and r.size >= room:
        gl_of(es).BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, i, buffer.name)
    else:
        gl_of(es).BindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, i, buffer.name, r.offset & ~<uint64_t>3,
                                  (r.size if r.size < room else room) & ~<uint64_t>3)


cdef GLuint no_room(Espryt* es) noexcept nogil:
    """A buffer too small for anything."""
    if es.tiny_buffer == 0:
        gl_of(es).GenBuffers(1, &es.tiny_buffer)
        gl_of(es).BindBuffer(GL_COPY_WRITE_BUFFER, es.tiny_buffer)
        gl_of(es).BufferData(GL_COPY_WRITE_BUFFER, 1, NULL, GL_STATIC_DRAW)
    return es.tiny_buffer


cdef void pause_stream_output(void* self, const pipe_pause_stream_output* p, void* stream_output) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef StreamOutput* it = <StreamOutput*>stream_output
    cdef Context* ctx = owner(es, it, b"pause_stream_output")
    if ctx == NULL or not it.active or it.paused:       # not begun: the program was refused, by name
        return
    bind(es, ctx, it)
    gl_of(es).PauseTransformFeedback()
    stop_counting(es, it)
    it.paused = 1
    ctx.capture = ref_to(NULL)


cdef void resume_stream_output(void* self, const pipe_resume_stream_output* p, void* stream_output) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef StreamOutput* it = <StreamOutput*>stream_output
    cdef Context* ctx = owner(es, it, b"resume_stream_output")
    if ctx == NULL or not it.active or not it.paused:
        return
    if alive(&ctx.capture) != NULL or ctx.program.serial != it.program_serial:
        es.host.fault(es.host.self, PIPE_FAULT_WRONG_OBJECT, b"resume_stream_output: one is active, or the program is another")
        return
    if not prepare_program(es, ctx, it.mode):
        return
    if ctx.variant.serial != it.variant_serial:
        es.host.unimplemented(es.host.self, b"resume_stream_output", b"state that changes a program's text while it is captured from")
        return
    bind(es, ctx, it)
    start_counting(es, ctx, it)
    gl_of(es).ResumeTransformFeedback()
    it.paused = 0
    ctx.capture = ref_to(it)


cdef void end(Espryt* es, Context* ctx, StreamOutput* it) noexcept nogil:
    if not it.active:
        return
    bind(es, ctx, it)
    gl_of(es).EndTransformFeedback()
    stop_counting(es, it)
    if alive(&ctx.capture) == it:
        ctx.capture = ref_to(NULL)
    it.active = it.paused = 0


cdef void end_stream_output(void* self, const pipe_end_stream_output* p, void* stream_output) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef StreamOutput* it = <StreamOutput*>stream_output
    cdef Context* ctx = owner(es, it, b"end_stream_output")
    if ctx != NULL:
        end(es, ctx, it)


cdef void delete_stream_output(void* self, const pipe_delete_stream_output* p, void* stream_output) noexcept nogil:
    """In another context its name means nothing; it goes with its own."""
    cdef Espryt* es = <Espryt*>self
    cdef StreamOutput* it = <StreamOutput*>stream_output
    if es.bound == NULL or it.context != es.bound.serial:
        return
    end(es, es.bound, it)
    if es.bound.stream_output == it.name:
        es.bound.stream_output = 0
    gl_of(es).DeleteTransformFeedbacks(1, &it.name)
    gl_of(es).DeleteQueries(1, &it.counter)


# -- draws

cdef void draw_stream_output(void* self, const pipe_draw_stream_output* p, void* stream_output) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef StreamOutput* it = <StreamOutput*>stream_output
    cdef Context* ctx = owner(es, it, b"draw_stream_output")
    if ctx == NULL or not prepare_draw(es, ctx, p.mode):
        return
    if gl_of(es).DrawTransformFeedbackStreamInstanced != NULL:
        gl_of(es).DrawTransformFeedbackStreamInstanced(p.mode, it.name, p.stream, p.instance_count)
    elif p.stream != 0 or it.uncounted:
        es.host.unimplemented(es.host.self, b"draw_stream_output", b"vertex streams on this driver" if p.stream != 0 else
                              b"a number of vertices that was captured while a query counted primitives written, on OpenGL ES")
    else:
        add_up(es, it)
        if ctx.variant.per_draw:
            set_draw_uniforms(es, ctx.variant, 0, 0, 0)
        if it.written != 0:
            gl_of(es).DrawArraysInstanced(p.mode, 0, <GLsizei>(it.written * corners(it.mode)), p.instance_count)


# -- counting, on OpenGL ES

cdef uint32_t corners(uint32_t mode) noexcept nogil:
    return 1 if mode == GL_POINTS else 2 if mode == GL_LINES else 3


cdef void start_counting(Espryt* es, Context* ctx, StreamOutput* it) noexcept nogil:
    if es.driver.dialect != DIALECT_GLES:
        return
    add_up(es, it)
    if ctx.counts_written or it.uncounted:
        it.uncounted = 1
        return
    if it.counter == 0:
        gl_of(es).GenQueries(1, &it.counter)
    gl_of(es).BeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, it.counter)
    it.counting = 1


cdef void stop_counting(Espryt* es, StreamOutput* it) noexcept nogil:
    if it.counting:
        gl_of(es).EndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN)
        it.counting = 0
        it.to_add = 1


cdef void add_up(Espryt* es, StreamOutput* it) noexcept nogil:
    """Waits for the part that was captured last."""
    cdef GLuint part = 0
    if it.to_add:
        gl_of(es).GetQueryObjectuiv(it.counter, GL_QUERY_RESULT, &part)
        it.written += part
        it.to_add = 0


cdef void program_counts(Espryt* es, Context* ctx, bint begins) noexcept nogil:
    cdef StreamOutput* it = <StreamOutput*>alive(&ctx.capture)
    ctx.counts_written = begins
    if begins and it != NULL and it.counting:
        stop_counting(es, it)
        it.uncounted = 1
