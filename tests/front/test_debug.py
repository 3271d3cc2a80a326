"""KHR_debug: messages for errors and waits, filters, the log, groups, labels (specification 4.6, chapter 20)."""

import ctypes

import pytest
from gl import fresh

CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_uint, ctypes.c_uint, ctypes.c_uint, ctypes.c_uint, ctypes.c_int, ctypes.c_char_p,
                            ctypes.c_void_p)


@pytest.fixture
def told(gl46):
    """What the callback was told: (type, id, severity, text)."""
    messages = []

    @CALLBACK
    def callback(source, kind, id, severity, length, text, user):
        assert length == len(text)
        messages.append((kind, id, severity, text.decode()))

    gl46.Enable(gl46.DEBUG_OUTPUT)
    gl46.DebugMessageCallback(callback, None)
    yield messages
    gl46.DebugMessageCallback(None, None)


def log(gl, count=100):
    """The messages of the log, oldest first: (source, type, id, severity, text)."""
    columns = [(ctypes.c_uint * count)() for _ in range(4)]
    lengths, text = (ctypes.c_int * count)(), ctypes.create_string_buffer(1 << 16)
    taken = gl.GetDebugMessageLog(count, len(text), *columns, lengths, text)
    rows, at = [], 0
    for i in range(taken):
        rows.append((*(column[i] for column in columns), text.raw[at:at + lengths[i] - 1].decode()))
        at += lengths[i]
    return rows


def insert(gl, text=b"hello", id=7, source=None, kind=None, severity=None):
    gl.DebugMessageInsert(source or gl.DEBUG_SOURCE_APPLICATION, kind or gl.DEBUG_TYPE_OTHER, id, severity or gl.DEBUG_SEVERITY_HIGH,
                          len(text), text)


def test_an_error_is_told_with_the_command_and_a_reason(gl46, told):
    gl46.BindBuffer(0x1234, 0)
    assert gl46.error() == "INVALID_ENUM"
    (kind, id, severity, text), = told
    assert (kind, id, severity) == (gl46.DEBUG_TYPE_ERROR, gl46.INVALID_ENUM, gl46.DEBUG_SEVERITY_HIGH)
    assert text.startswith("GL_INVALID_ENUM in glBindBuffer: ")


def test_each_error_is_told_although_glGetError_keeps_the_first(gl46, told):
    gl46.BindBuffer(0x1234, 0)
    gl46.Viewport(0, 0, -1, 0)
    gl46.GetIntegerv(0x1234, (ctypes.c_int * 1)())
    assert gl46.error() == "INVALID_ENUM"
    assert [text.split(":")[0] for *_, text in told] == ["GL_INVALID_ENUM in glBindBuffer", "GL_INVALID_VALUE in glViewport",
                                                          "GL_INVALID_ENUM in glGetIntegerv"]


def test_nothing_is_told_while_debug_output_is_off(gl46, told):
    gl46.Disable(gl46.DEBUG_OUTPUT)
    gl46.BindBuffer(0x1234, 0)
    insert(gl46)
    gl46.Enable(gl46.DEBUG_OUTPUT)
    assert gl46.error() == "INVALID_ENUM" and told == []


def test_only_a_debug_context_begins_with_debug_output_on(gl46):
    assert not gl46.IsEnabled(gl46.DEBUG_OUTPUT)


def test_a_wait_is_told_as_one_of_performance():
    with fresh(driver="gl", gl_version="4.6") as gl:
        gl.Enable(gl.DEBUG_OUTPUT)
        gl.DebugMessageControl(gl.DONT_CARE, gl.DONT_CARE, gl.DEBUG_SEVERITY_LOW, 0, None, True)
        framebuffer, color = gl.gen("Framebuffers"), gl.gen("Renderbuffers")
        gl.BindRenderbuffer(gl.RENDERBUFFER, color)
        gl.RenderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, 4, 4)
        gl.BindFramebuffer(gl.FRAMEBUFFER, framebuffer)
        gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, color)
        gl.Clear(gl.COLOR_BUFFER_BIT)
        gl.pixel(0, 0)
        (source, kind, _, severity, text), = log(gl)
    assert (source, kind, severity) == (gl.DEBUG_SOURCE_API, gl.DEBUG_TYPE_PERFORMANCE, gl.DEBUG_SEVERITY_LOW)
    assert text.startswith("glReadPixels waited for the render server")


def test_without_a_callback_messages_are_logged_in_order(gl46):
    gl46.Enable(gl46.DEBUG_OUTPUT)
    insert(gl46, b"one", 1)
    insert(gl46, b"second", 2, kind=gl46.DEBUG_TYPE_MARKER, severity=gl46.DEBUG_SEVERITY_MEDIUM)
    assert gl46.get_int("GetIntegerv", gl46.DEBUG_LOGGED_MESSAGES) == 2
    assert gl46.get_int("GetIntegerv", gl46.DEBUG_NEXT_LOGGED_MESSAGE_LENGTH) == 4
    assert log(gl46) == [
        (gl46.DEBUG_SOURCE_APPLICATION, gl46.DEBUG_TYPE_OTHER, 1, gl46.DEBUG_SEVERITY_HIGH, "one"),
        (gl46.DEBUG_SOURCE_APPLICATION, gl46.DEBUG_TYPE_MARKER, 2, gl46.DEBUG_SEVERITY_MEDIUM, "second")]
    assert gl46.get_int("GetIntegerv", gl46.DEBUG_LOGGED_MESSAGES) == 0
    assert gl46.get_int("GetIntegerv", gl46.DEBUG_NEXT_LOGGED_MESSAGE_LENGTH) == 0


def test_a_message_that_does_not_fit_stays_in_the_log(gl46):
    gl46.Enable(gl46.DEBUG_OUTPUT)
    insert(gl46, b"12345")
    insert(gl46, b"1")
    text = ctypes.create_string_buffer(7)
    assert gl46.GetDebugMessageLog(9, 7, None, None, None, None, None, text) == 1
    assert text.value == b"12345" and len(log(gl46)) == 1


def test_a_full_log_loses_what_is_new(gl46):
    gl46.Enable(gl46.DEBUG_OUTPUT)
    most = gl46.get_int("GetIntegerv", gl46.MAX_DEBUG_LOGGED_MESSAGES)
    for i in range(most + 3):
        insert(gl46, b"m", i)
    assert [row[2] for row in log(gl46, most + 3)] == list(range(most))


def test_messages_of_low_severity_are_off_until_they_are_asked_for(gl46, told):
    insert(gl46, severity=gl46.DEBUG_SEVERITY_LOW)
    assert told == []
    gl46.DebugMessageControl(gl46.DONT_CARE, gl46.DONT_CARE, gl46.DEBUG_SEVERITY_LOW, 0, None, True)
    insert(gl46, severity=gl46.DEBUG_SEVERITY_LOW)
    assert len(told) == 1


def test_control_by_identifier(gl46, told):
    ids = (ctypes.c_uint * 2)(3, 5)
    gl46.DebugMessageControl(gl46.DEBUG_SOURCE_APPLICATION, gl46.DEBUG_TYPE_OTHER, gl46.DONT_CARE, 2, ids, False)
    for id in (3, 4, 5):
        insert(gl46, id=id)
    insert(gl46, id=3, kind=gl46.DEBUG_TYPE_MARKER)
    assert [id for _, id, _, _ in told] == [4, 3]


def test_control_by_source_and_type(gl46, told):
    gl46.DebugMessageControl(gl46.DONT_CARE, gl46.DONT_CARE, gl46.DONT_CARE, 0, None, False)
    gl46.DebugMessageControl(gl46.DONT_CARE, gl46.DEBUG_TYPE_MARKER, gl46.DONT_CARE, 0, None, True)
    insert(gl46, id=1)
    insert(gl46, id=2, kind=gl46.DEBUG_TYPE_MARKER)
    insert(gl46, id=3, kind=gl46.DEBUG_TYPE_MARKER, severity=gl46.DEBUG_SEVERITY_LOW)
    assert [id for _, id, _, _ in told] == [2, 3]


def test_groups_are_told_and_keep_their_own_control(gl46, told):
    gl46.PushDebugGroup(gl46.DEBUG_SOURCE_APPLICATION, 9, -1, b"pass")
    assert gl46.get_int("GetIntegerv", gl46.DEBUG_GROUP_STACK_DEPTH) == 2
    gl46.DebugMessageControl(gl46.DONT_CARE, gl46.DONT_CARE, gl46.DONT_CARE, 0, None, False)
    insert(gl46)
    gl46.PopDebugGroup()
    insert(gl46)
    assert told == [(gl46.DEBUG_TYPE_PUSH_GROUP, 9, gl46.DEBUG_SEVERITY_NOTIFICATION, "pass"),
                    (gl46.DEBUG_TYPE_POP_GROUP, 9, gl46.DEBUG_SEVERITY_NOTIFICATION, "pass"),
                    (gl46.DEBUG_TYPE_OTHER, 7, gl46.DEBUG_SEVERITY_HIGH, "hello")]


def test_the_stack_of_groups_has_two_ends(gl46):
    most = gl46.get_int("GetIntegerv", gl46.MAX_DEBUG_GROUP_STACK_DEPTH)
    for _ in range(most - 1):
        gl46.PushDebugGroup(gl46.DEBUG_SOURCE_THIRD_PARTY, 0, -1, b"")
    assert gl46.error() == "NO_ERROR"
    gl46.PushDebugGroup(gl46.DEBUG_SOURCE_THIRD_PARTY, 0, -1, b"")
    assert gl46.error() == "STACK_OVERFLOW"
    for _ in range(most - 1):
        gl46.PopDebugGroup()
    assert gl46.error() == "NO_ERROR"
    gl46.PopDebugGroup()
    assert gl46.error() == "STACK_UNDERFLOW"


def test_errors_of_messages(gl46):
    most = gl46.get_int("GetIntegerv", gl46.MAX_DEBUG_MESSAGE_LENGTH)
    insert(gl46, b"m" * (most - 1))
    assert gl46.error() == "NO_ERROR"
    wrong = [
        (insert, (b"m" * most,), "INVALID_VALUE"),
        (insert, (b"", 0, gl46.DEBUG_SOURCE_API), "INVALID_ENUM"),
        (insert, (b"", 0, None, gl46.DEBUG_SEVERITY_LOW), "INVALID_ENUM"),
        (lambda gl: gl.PushDebugGroup(gl.DEBUG_SOURCE_API, 0, -1, b""), (), "INVALID_ENUM"),
        (lambda gl: gl.PushDebugGroup(gl.DEBUG_SOURCE_APPLICATION, 0, -1, b"m" * most), (), "INVALID_VALUE"),
        (lambda gl: gl.DebugMessageControl(0, 0, 0, 0, None, True), (), "INVALID_ENUM"),
        (lambda gl: gl.DebugMessageControl(gl.DONT_CARE, gl.DONT_CARE, gl.DONT_CARE, -1, None, True), (), "INVALID_VALUE"),
        (lambda gl: gl.DebugMessageControl(gl.DONT_CARE, gl.DEBUG_TYPE_OTHER, gl.DONT_CARE, 1, (ctypes.c_uint * 1)(), True), (),
         "INVALID_OPERATION"),
        (lambda gl: gl.GetDebugMessageLog(1, -1, None, None, None, None, None, ctypes.create_string_buffer(1)), (), "INVALID_VALUE"),
    ]
    for call, arguments, error in wrong:
        call(gl46, *arguments)
        assert gl46.error() == error, (call, arguments)


def test_the_callback_and_its_parameter_can_be_asked_for(gl46, told):
    found = ctypes.c_void_p()
    gl46.GetPointerv(gl46.DEBUG_CALLBACK_FUNCTION, ctypes.byref(found))
    assert found.value
    gl46.GetPointerv(gl46.DEBUG_CALLBACK_USER_PARAM, ctypes.byref(found))
    assert found.value is None
    gl46.GetPointerv(0x1234, ctypes.byref(found))
    assert gl46.error() == "INVALID_ENUM"


def test_a_refused_command_is_told_by_name(gl46, told):
    ctypes.CFUNCTYPE(None)(gl46.loader.load_opengl_function("glXWaitX"))()
    assert gl46.error() == "INVALID_OPERATION"
    assert told[0][3] == "GL_INVALID_OPERATION in glXWaitX: mgpipe does not implement it yet"


# ----------------------------------------------------------------------------------------------------------- labels

def label(gl, kind, name, size=64):
    text, length = ctypes.create_string_buffer(size), ctypes.c_int(-1)
    gl.GetObjectLabel(kind, name, size, ctypes.byref(length), text)
    assert length.value == len(text.value)
    return text.value


def objects(gl):
    """One object of each kind: (identifier, name, how it is deleted)."""
    rows = []
    for kind, bind in (("Buffer", (gl.ARRAY_BUFFER,)), ("Texture", (gl.TEXTURE_2D,)), ("Renderbuffer", (gl.RENDERBUFFER,)),
                       ("Framebuffer", (gl.FRAMEBUFFER,)), ("VertexArray", ()), ("Sampler", (0,))):
        name = gl.gen(f"{kind}s")
        getattr(gl, f"Bind{kind}")(*bind, name)
        identifier = getattr(gl, {"VertexArray": "VERTEX_ARRAY"}.get(kind, kind.upper()))
        rows.append((identifier, name, lambda gl, name, kind=kind: gl.delete(f"{kind}s", name)))
    query = gl.gen("Queries")
    gl.BeginQuery(gl.TIME_ELAPSED, query)
    gl.EndQuery(gl.TIME_ELAPSED)
    rows.append((gl.QUERY, query, lambda gl, name: gl.delete("Queries", name)))
    rows.append((gl.SHADER, gl.CreateShader(gl.VERTEX_SHADER), lambda gl, name: gl.DeleteShader(name)))
    rows.append((gl.PROGRAM, gl.CreateProgram(), lambda gl, name: gl.DeleteProgram(name)))
    return rows


def test_every_kind_of_object_keeps_a_label_as_long_as_it_lives(gl46):
    for identifier, name, delete in objects(gl46):
        assert label(gl46, identifier, name) == b""
        gl46.ObjectLabel(identifier, name, -1, b"a label")
        assert label(gl46, identifier, name) == b"a label"
        gl46.ObjectLabel(identifier, name, 3, b"another")
        assert label(gl46, identifier, name) == b"ano"
        assert label(gl46, identifier, name, 3) == b"an"
        gl46.ObjectLabel(identifier, name, 0, None)
        assert label(gl46, identifier, name) == b""
        gl46.ObjectLabel(identifier, name, -1, b"gone with it")
        delete(gl46, name)
        gl46.ObjectLabel(identifier, name, -1, b"nobody")
        assert gl46.error() == "INVALID_VALUE", hex(identifier)
    for identifier, name, _ in objects(gl46):       # the same names again
        assert label(gl46, identifier, name) == b""


def test_a_sync_object_is_labelled_by_its_pointer(gl46):
    sync = gl46.FenceSync(gl46.SYNC_GPU_COMMANDS_COMPLETE, 0)
    gl46.ObjectPtrLabel(sync, -1, b"frame")
    text = ctypes.create_string_buffer(9)
    gl46.GetObjectPtrLabel(sync, 9, None, text)
    assert text.value == b"frame"
    gl46.DeleteSync(sync)
    gl46.ObjectPtrLabel(sync, -1, b"frame")
    assert gl46.error() == "INVALID_VALUE"


def test_errors_of_labels(gl46):
    most = gl46.get_int("GetIntegerv", gl46.MAX_LABEL_LENGTH)
    name = gl46.gen("Buffers")
    gl46.ObjectLabel(gl46.BUFFER, name, -1, b"only generated")
    assert gl46.error() == "INVALID_VALUE"
    gl46.BindBuffer(gl46.ARRAY_BUFFER, name)
    gl46.ObjectLabel(gl46.BUFFER, name, -1, b"l" * (most - 1))
    assert gl46.error() == "NO_ERROR"
    for call, error in (
            (lambda: gl46.ObjectLabel(gl46.BUFFER, name, -1, b"l" * most), "INVALID_VALUE"),
            (lambda: gl46.ObjectLabel(gl46.ARRAY_BUFFER, name, -1, b""), "INVALID_ENUM"),
            (lambda: gl46.GetObjectLabel(gl46.BUFFER, name, -1, None, None), "INVALID_VALUE"),
            (lambda: gl46.ObjectLabel(gl46.SHADER, gl46.CreateProgram(), -1, b""), "INVALID_VALUE")):
        call()
        assert gl46.error() == error
