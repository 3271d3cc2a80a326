# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""KHR_debug, part of OpenGL 4.3 (specification 4.6, chapter 20): messages, groups, labels.

Messages are ours: the errors that the client raises, with a sentence; waits for the server; what the program inserts. They
come synchronously, inside the command that causes them, whatever GL_DEBUG_OUTPUT_SYNCHRONOUS says. While debug output
is on, the context's gate is armed, and `tell` looks at each command when it is over; while it is off, it costs nothing.
"""

from libc.stdint cimport uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset, strlen
from cpython.ref cimport Py_DECREF, Py_INCREF

from glenum cimport *
from mgpipe.front.context cimport (Context, GLboolean, GLchar, GLenum, GLsizei, GLuint, Names, Shader, name_get, set_error,
                                   set_error_why)
from mgpipe.front.limits cimport MAX_DEBUG_GROUPS, MAX_DEBUG_LOGGED, MAX_DEBUG_MESSAGE, MAX_LABEL

from mgpipe.front import debug_output
from mgpipe.front.debug_output import DebugOutput, Message

ctypedef void (*Callback)(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length, const GLchar* message,
                          const void* user) noexcept nogil


# --------------------------------------------------------------------------------------------------------- messages

cdef output_of(Context* ctx):
    """The DebugOutput of the context, made when first needed."""
    if ctx.debug_output == NULL:
        output = DebugOutput(MAX_DEBUG_LOGGED)
        Py_INCREF(output)
        ctx.debug_output = <void*>output
    return <object>ctx.debug_output


cdef void debug_free(Context* ctx) noexcept with gil:
    if ctx.debug_output != NULL:
        Py_DECREF(<object>ctx.debug_output)
        ctx.debug_output = NULL


cdef note_log(Context* ctx, output):
    """What glGetIntegerv answers about the log."""
    ctx.debug_logged = <uint32_t>len(output.log)
    ctx.debug_next_length = <uint32_t>len(output.log[0].text) + 1 if output.log else 0


cdef deliver(Context* ctx, message):
    """To the callback, else into the log; if debug output is on and the message is wanted."""
    cdef bytes text = message.text
    cdef const char* characters = text
    cdef Callback callback = <Callback>ctx.debug_callback
    cdef GLenum source = message.source, kind = message.type, severity = message.severity
    cdef GLuint id = message.id
    cdef GLsizei length = <GLsizei>len(text)
    output = output_of(ctx)
    if not ctx.debug_flags & 1 or not output.filter.wants(message):
        return
    if callback == NULL:
        output.keep(message)
        note_log(ctx, output)
        return
    with nogil:                         # it is the program's: it may want the GIL, or may not
        callback(source, kind, id, severity, length, characters, ctx.debug_user_param)


cdef void tell(Context* ctx, const char* command) noexcept with gil:
    cdef GLenum error = ctx.debug_error
    cdef const char* why = ctx.debug_why
    cdef uint64_t round_trips = ctx.session.stats.round_trips, reads = ctx.session.stats.reads
    ctx.debug_error = 0
    ctx.debug_why = NULL
    name = command.decode()
    if error:
        deliver(ctx, debug_output.error_message(name, error, why.decode() if why != NULL else ""))
    if round_trips != ctx.debug_round_trips or reads != ctx.debug_reads:
        deliver(ctx, debug_output.wait_message(name, round_trips == ctx.debug_round_trips))
    ctx.debug_round_trips = round_trips
    ctx.debug_reads = reads


cdef void DebugMessageCallback(Context* ctx, void* callback, const void* userParam) noexcept nogil:
    ctx.debug_callback = callback
    ctx.debug_user_param = userParam


cdef bint one_of(GLenum value, values, bint any_allowed):
    return value in values or any_allowed and value == GL_DONT_CARE


cdef void DebugMessageControl(Context* ctx, GLenum source, GLenum type, GLenum severity, GLsizei count, const GLuint* ids,
                              GLboolean enabled) noexcept with gil:
    cdef GLsizei i
    if count < 0:
        set_error_why(ctx, GL_INVALID_VALUE, b"count is negative")
    elif not (one_of(source, debug_output.SOURCES, True) and one_of(type, debug_output.TYPES, True)
              and one_of(severity, debug_output.SEVERITIES, True)):
        set_error_why(ctx, GL_INVALID_ENUM, b"source, type or severity is none of a debug message")
    elif count > 0 and (source == GL_DONT_CARE or type == GL_DONT_CARE or severity != GL_DONT_CARE):
        set_error_why(ctx, GL_INVALID_OPERATION, b"identifiers are given, so source and type must be, too, and severity must not")
    else:
        output_of(ctx).filter.control(source, type, severity, frozenset([ids[i] for i in range(count)]) if count else None,
                                      enabled != 0)


cdef message_text(Context* ctx, GLsizei length, const GLchar* text):
    """The bytes of a message, or None: too long, and the error is set."""
    cdef uint64_t size = strlen(text) if length < 0 else <uint64_t>length
    if size >= MAX_DEBUG_MESSAGE:
        set_error_why(ctx, GL_INVALID_VALUE, b"the message is longer than GL_MAX_DEBUG_MESSAGE_LENGTH allows")
        return None
    return text[:size]


cdef void DebugMessageInsert(Context* ctx, GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                             const GLchar* buf) noexcept with gil:
    if not (source == GL_DEBUG_SOURCE_APPLICATION or source == GL_DEBUG_SOURCE_THIRD_PARTY) or not (
            one_of(type, debug_output.TYPES, False) and one_of(severity, debug_output.SEVERITIES, False)):
        set_error_why(ctx, GL_INVALID_ENUM, b"a program's messages have source APPLICATION or THIRD_PARTY, a type and a severity")
        return
    text = message_text(ctx, length, buf)
    if text is not None:
        deliver(ctx, Message(source, type, id, severity, text))


cdef GLuint GetDebugMessageLog(Context* ctx, GLuint count, GLsizei bufSize, GLenum* sources, GLenum* types, GLuint* ids,
                               GLenum* severities, GLsizei* lengths, GLchar* messageLog) noexcept with gil:
    cdef GLuint i
    cdef GLsizei length
    cdef bytes text
    cdef GLuint taken = 0
    if messageLog != NULL and bufSize < 0:
        set_error_why(ctx, GL_INVALID_VALUE, b"bufSize is negative")
        return 0
    output = output_of(ctx)
    messages = output.fetch(count, bufSize if messageLog != NULL else None)
    for message in messages:
        if sources != NULL: sources[taken] = message.source
        if types != NULL: types[taken] = message.type
        if ids != NULL: ids[taken] = message.id
        if severities != NULL: severities[taken] = message.severity
        text = message.text
        length = <GLsizei>len(text) + 1
        if lengths != NULL: lengths[taken] = length
        if messageLog != NULL:
            memcpy(messageLog, <const char*>text, length)
            messageLog += length
        taken += 1
    note_log(ctx, output)
    return taken


# ----------------------------------------------------------------------------------------------------------- groups

cdef void PushDebugGroup(Context* ctx, GLenum source, GLuint id, GLsizei length, const GLchar* message) noexcept with gil:
    if source != GL_DEBUG_SOURCE_APPLICATION and source != GL_DEBUG_SOURCE_THIRD_PARTY:
        set_error_why(ctx, GL_INVALID_ENUM, b"a program's groups have source APPLICATION or THIRD_PARTY")
        return
    text = message_text(ctx, length, message)
    if text is None:
        return
    if ctx.debug_group_depth >= MAX_DEBUG_GROUPS - 1:
        set_error_why(ctx, GL_STACK_OVERFLOW, b"GL_MAX_DEBUG_GROUP_STACK_DEPTH groups are open")
        return
    opened = Message(source, debug_output.TYPE_PUSH_GROUP, id, debug_output.SEVERITY_NOTIFICATION, text)
    deliver(ctx, opened)
    output_of(ctx).push(opened)
    ctx.debug_group_depth += 1


cdef void PopDebugGroup(Context* ctx) noexcept with gil:
    if ctx.debug_group_depth == 0:
        set_error_why(ctx, GL_STACK_UNDERFLOW, b"no group is open")
        return
    ctx.debug_group_depth -= 1
    deliver(ctx, output_of(ctx).pop())


# ----------------------------------------------------------------------------------------------------------- labels

cdef Names* names_of(Context* ctx, GLenum identifier) noexcept nogil:
    """Where objects of a kind are found by name; NULL: no kind that has labels."""
    if identifier == GL_BUFFER: return &ctx.group.buffers
    if identifier == GL_TEXTURE: return &ctx.group.textures
    if identifier == GL_RENDERBUFFER: return &ctx.group.renderbuffers
    if identifier == GL_SAMPLER: return &ctx.group.samplers
    if identifier == GL_SHADER or identifier == GL_PROGRAM: return &ctx.group.shaders_programs
    if identifier == GL_VERTEX_ARRAY: return &ctx.vertex_arrays
    if identifier == GL_FRAMEBUFFER: return &ctx.framebuffers
    if identifier == GL_QUERY: return &ctx.queries
    if identifier == GL_PROGRAM_PIPELINE: return &ctx.pipelines
    if identifier == GL_TRANSFORM_FEEDBACK: return &ctx.feedbacks
    return NULL


cdef Names* labelled(Context* ctx, GLenum identifier, GLuint name) noexcept nogil:
    """The names that this one is among, if it is an object of the kind; NULL: the error is set."""
    cdef Names* names = names_of(ctx, identifier)
    cdef void* item
    if names == NULL:
        set_error_why(ctx, GL_INVALID_ENUM, b"identifier is no kind of object that has labels")
        return NULL
    item = name_get(names, name)
    if item == NULL or ((identifier == GL_SHADER or identifier == GL_PROGRAM)
                        and (<Shader*>item).is_shader != (identifier == GL_SHADER)):
        set_error_why(ctx, GL_INVALID_VALUE, b"there is no object of this kind and name")
        return NULL
    return names


cdef bint grow_labels(Names* names, GLuint name) noexcept nogil:
    cdef char** grown
    if name < names.label_capacity:
        return True
    grown = <char**>realloc(names.labels, names.capacity * sizeof(char*))
    if grown == NULL:
        return False
    memset(grown + names.label_capacity, 0, (names.capacity - names.label_capacity) * sizeof(char*))
    names.labels = grown
    names.label_capacity = names.capacity
    return True


cdef void put_label(Context* ctx, Names* names, GLuint name, GLsizei length, const GLchar* label) noexcept nogil:
    cdef uint64_t size
    cdef char* copy
    if label == NULL:
        if name < names.label_capacity:
            free(names.labels[name])
            names.labels[name] = NULL
        return
    size = strlen(label) if length < 0 else <uint64_t>length
    if size >= MAX_LABEL:
        set_error_why(ctx, GL_INVALID_VALUE, b"the label is longer than GL_MAX_LABEL_LENGTH allows")
        return
    copy = <char*>malloc(size + 1)
    if copy == NULL or not grow_labels(names, name):
        free(copy)
        set_error(ctx, GL_OUT_OF_MEMORY)
        return
    memcpy(copy, label, size)
    copy[size] = 0
    free(names.labels[name])
    names.labels[name] = copy


cdef void get_label(Context* ctx, const Names* names, GLuint name, GLsizei bufSize, GLsizei* length, GLchar* label) noexcept nogil:
    cdef const char* text = names.labels[name] if name < names.label_capacity else NULL
    cdef GLsizei size = <GLsizei>strlen(text) if text != NULL else 0
    if bufSize < 0:
        set_error_why(ctx, GL_INVALID_VALUE, b"bufSize is negative")
        return
    if label != NULL and bufSize > 0:
        size = min(size, bufSize - 1)
        if size:
            memcpy(label, text, size)
        label[size] = 0
    if length != NULL:
        length[0] = size


cdef void ObjectLabel(Context* ctx, GLenum identifier, GLuint name, GLsizei length, const GLchar* label) noexcept nogil:
    cdef Names* names = labelled(ctx, identifier, name)
    if names != NULL:
        put_label(ctx, names, name, length, label)


cdef void GetObjectLabel(Context* ctx, GLenum identifier, GLuint name, GLsizei bufSize, GLsizei* length, GLchar* label) noexcept nogil:
    cdef Names* names = labelled(ctx, identifier, name)
    if names != NULL:
        get_label(ctx, names, name, bufSize, length, label)


cdef Names* labelled_sync(Context* ctx, const void* ptr) noexcept nogil:
    """A sync object's pointer is its name (queries.pyx)."""
    if <uintptr_t>ptr >> 32 != 0 or name_get(&ctx.group.syncs, <GLuint><uintptr_t>ptr) == NULL:
        set_error_why(ctx, GL_INVALID_VALUE, b"the pointer is that of no sync object")
        return NULL
    return &ctx.group.syncs


cdef void ObjectPtrLabel(Context* ctx, const void* ptr, GLsizei length, const GLchar* label) noexcept nogil:
    cdef Names* names = labelled_sync(ctx, ptr)
    if names != NULL:
        put_label(ctx, names, <GLuint><uintptr_t>ptr, length, label)


cdef void GetObjectPtrLabel(Context* ctx, const void* ptr, GLsizei bufSize, GLsizei* length, GLchar* label) noexcept nogil:
    cdef Names* names = labelled_sync(ctx, ptr)
    if names != NULL:
        get_label(ctx, names, <GLuint><uintptr_t>ptr, bufSize, length, label)


cdef void GetPointerv(Context* ctx, GLenum pname, void** params) noexcept nogil:
    if pname == GL_DEBUG_CALLBACK_FUNCTION:
        params[0] = ctx.debug_callback
    elif pname == GL_DEBUG_CALLBACK_USER_PARAM:
        params[0] = <void*>ctx.debug_user_param
    else:
        set_error_why(ctx, GL_INVALID_ENUM, b"pname is no pointer of the core profile")
