# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""EGL 1.5: displays, contexts, pbuffer surfaces, and what is current in a thread.

A display stands for a session, opened at eglInitialize. There are no windows: a surface is a pbuffer, and a program that
needs none makes its context current without. Handles are addresses of structs of ours; a handle is valid while it is in
`contexts` or `surfaces`. Everything that changes those holds the GIL.
"""

import os
import sys

from libc.stdint cimport int32_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from eglenum cimport *
from glenum cimport GL_BACK, GL_NONE
from mgpipe.client.session cimport Session, lock_enter, lock_leave, session_publish, thread_attached, thread_detached
from mgpipe.front.context cimport (DIRTY_ALL, DIRTY_DYNAMIC, DIRTY_FRAMEBUFFER, GATE_LOCK, Context, Framebuffer, Surface, Sync, arm_debug,
                                   context_free, context_new, set_gate)
from mgpipe.front.mappings cimport mappings_fetch
from mgpipe.front.objects cimport OBJECT_KINDS, count_objects, release_objects
from mgpipe.front.viewports cimport viewports_cover
from mgpipe.tracker.presents cimport track_present
from mgpipe.tracker.queries cimport (track_delete_fence, track_fence, track_fence_look, track_fence_wait,
                                     track_fence_wait_server)
from mgpipe.tracker.validate cimport (track_bind_context, track_destroy_context, track_destroy_surface, track_finish,
                                      track_flush, track_release_context, track_session_unused)

from mgpipe.front import configs, objects

cdef extern from "current.h" nogil:
    void let_others_see()               # a full memory barrier in every thread of the process
    void pause_briefly()
    bint is_set(const uint32_t* flag)   # by another thread
    uint32_t thread_number()

cdef extern from * nogil:
    """
    typedef struct { int error; unsigned int api; void *context, *display; } mgpipe_egl_thread;
    static __thread mgpipe_egl_thread egl_thread_state = { 0x3000, 0x3038, 0, 0 };
    static inline mgpipe_egl_thread *egl_thread(void) { return &egl_thread_state; }
    """
    ctypedef struct Thread "mgpipe_egl_thread":
        int error
        unsigned int api
        void* context
        void* display
    Thread* egl_thread()

cdef enum:
    FLAG_DEBUG = 1                      # of EGL_CONTEXT_FLAGS_KHR, and of GL_CONTEXT_FLAGS with its own numbers
    FLAG_FORWARD_COMPATIBLE = 2
    FLAG_ROBUST_ACCESS = 4

cdef struct Display:
    uint32_t platform                   # 0: the default display
    uint32_t initialised
    uint32_t pid                        # of the process that initialised it: a forked child starts anew
    Session* session

cdef Display[3] displays                # default, device, surfaceless
displays[0].platform, displays[1].platform, displays[2].platform = 0, EGL_PLATFORM_DEVICE_EXT, EGL_PLATFORM_SURFACELESS_MESA
cdef Display loaders                    # of contexts that Python code made from sessions that it connected
cdef char the_device                    # its address is the one EGLDeviceEXT

contexts: dict = {}                     # address of a live Context, of this process or inherited through fork → its display's
surfaces: dict = {}                     # likewise
keepers: dict = {}                      # address of a Display, Context, Surface or EglSync → the SessionHandle of its session
connector = None                        # what opens a session for eglInitialize; None: mgpipe.client.connect.connect

cdef const char* CLIENT_EXTENSIONS = (
    b"EGL_EXT_client_extensions EGL_EXT_device_base EGL_EXT_device_enumeration EGL_EXT_device_query EGL_EXT_platform_base "
    b"EGL_EXT_platform_device EGL_KHR_client_get_all_proc_addresses EGL_MESA_platform_surfaceless")
cdef const char* DISPLAY_EXTENSIONS = (
    b"EGL_EXT_create_context_robustness EGL_KHR_create_context EGL_KHR_create_context_no_error EGL_KHR_get_all_proc_addresses "
    b"EGL_KHR_fence_sync EGL_KHR_gl_colorspace EGL_KHR_no_config_context EGL_KHR_surfaceless_context EGL_KHR_wait_sync")
cdef const char* NOTHING = b""
cdef const char* VENDOR = b"mgpipe"
cdef const char* VERSION = b"1.5 mgpipe"
cdef const char* CLIENT_APIS = b"OpenGL"


# ------------------------------------------------------------------------------------------------- threads, errors

cdef inline unsigned int ok() noexcept nogil:
    egl_thread().error = EGL_SUCCESS
    return EGL_TRUE


cdef inline unsigned int fail(int error) noexcept nogil:
    egl_thread().error = error
    return EGL_FALSE


def say(str sentence):
    print(f"mgpipe: {sentence}", file=sys.stderr, flush=True)


cdef CurrentChanged listener = NULL


cdef void listen(CurrentChanged changed) noexcept nogil:
    global listener
    listener = changed


cdef Context* thread_context() noexcept nogil:
    return <Context*>egl_thread().context


cdef void set_thread_context(Context* ctx, Display* display) noexcept nogil:
    egl_thread().context = ctx
    egl_thread().display = display
    if listener != NULL:
        listener(ctx)


cdef int GetError() noexcept nogil:
    cdef int error = egl_thread().error
    egl_thread().error = EGL_SUCCESS
    return error


cdef unsigned int BindAPI(unsigned int api) noexcept nogil:
    if api != EGL_OPENGL_API:           # OpenGL ES and OpenVG are not offered
        return fail(EGL_BAD_PARAMETER)
    egl_thread().api = api
    return ok()


cdef unsigned int QueryAPI() noexcept nogil:
    return egl_thread().api             # EGL_NONE until bound: its default, OpenGL ES, is not offered


# ------------------------------------------------------------------------------------------------------- displays

cdef Display* display_of(void* dpy) noexcept nogil:
    """The display, if it is one; sets the error."""
    if dpy != &displays[0] and dpy != &displays[1] and dpy != &displays[2] and dpy != &loaders:
        fail(EGL_BAD_DISPLAY)
        return NULL
    return <Display*>dpy


cdef Display* ready(void* dpy) noexcept with gil:
    """The display, if it is initialised in this process; sets the error."""
    cdef Display* display = display_of(dpy)
    if display == NULL:
        return NULL
    if not display.initialised or display.pid != <uint32_t>os.getpid():
        fail(EGL_NOT_INITIALIZED)
        return NULL
    return display


cdef void* GetDisplay(void* display_id) noexcept with gil:
    ok()
    return &displays[0]                 # whatever window system the program names: it will get pbuffers


cdef void* GetPlatformDisplay(unsigned int platform, void* native_display, const Py_ssize_t* attrib_list) noexcept with gil:
    if platform == EGL_PLATFORM_DEVICE_EXT and (native_display == &the_device or native_display == NULL):
        ok()
        return &displays[1]
    if platform == EGL_PLATFORM_SURFACELESS_MESA:
        ok()
        return &displays[2]
    fail(EGL_BAD_PARAMETER)
    return NULL


cdef void* GetPlatformDisplayEXT(unsigned int platform, void* native_display, const int* attrib_list) noexcept with gil:
    return GetPlatformDisplay(platform, native_display, NULL)


def open_session(Py_ssize_t dpy, handle):
    """Let the display stand for this session: what eglInitialize does with the session it connects."""
    cdef Display* display = <Display*><void*>dpy
    display.session = <Session*><void*><uintptr_t>handle.address
    display.pid = os.getpid()
    display.initialised = 1
    keepers[<uintptr_t>display] = handle


def begin_compiling(**keywords):
    """These options about compiled shaders hold from now on. Before a session opens: the compiler may start meanwhile."""
    from mgpipe.catalogue import options
    from mgpipe.shaders import service

    service.configure(options.resolve(keywords, os.environ))


cdef unsigned int Initialize(void* dpy, int* major, int* minor) noexcept with gil:
    cdef Display* display = display_of(dpy)
    if display == NULL:
        return EGL_FALSE
    if not display.initialised or display.pid != <uint32_t>os.getpid() or display.session.lost:
        try:
            connect = connector
            if connect is None:
                from mgpipe.client.connect import connect
            begin_compiling()
            open_session(<Py_ssize_t>dpy, connect())
        except BaseException as error:   # a C caller: nothing may fly past it
            say(f"{error}")
            return fail(EGL_NOT_INITIALIZED)
    if major != NULL:
        major[0] = 1
    if minor != NULL:
        minor[0] = 5
    return ok()


cdef unsigned int Terminate(void* dpy) noexcept with gil:
    """The session stays: programs terminate and initialise again, and a connection costs more than it holds."""
    cdef Display* display = display_of(dpy)
    if display == NULL:
        return EGL_FALSE
    if display.initialised:
        for address in [a for a, owner in contexts.items() if owner == <uintptr_t>display]:
            destroy_context(<Context*><void*><uintptr_t>address)
        for address in [a for a, owner in surfaces.items() if owner == <uintptr_t>display]:
            destroy_surface(<Surface*><void*><uintptr_t>address)
    display.initialised = 0
    return ok()


cdef const char* QueryString(void* dpy, int name) noexcept with gil:
    if dpy == NULL:
        if name == EGL_EXTENSIONS:
            ok()
            return CLIENT_EXTENSIONS
        if name == EGL_VERSION:
            ok()
            return VERSION
        fail(EGL_BAD_DISPLAY)
        return NULL
    if ready(dpy) == NULL:
        return NULL
    ok()
    if name == EGL_VENDOR: return VENDOR
    if name == EGL_VERSION: return VERSION
    if name == EGL_EXTENSIONS: return DISPLAY_EXTENSIONS
    if name == EGL_CLIENT_APIS: return CLIENT_APIS
    fail(EGL_BAD_PARAMETER)
    return NULL


cdef unsigned int QueryDevicesEXT(int max_devices, void** devices, int* num_devices) noexcept with gil:
    if num_devices == NULL or (devices != NULL and max_devices <= 0):
        return fail(EGL_BAD_PARAMETER)
    num_devices[0] = 1                  # the server's driver, wherever that is
    if devices != NULL:
        devices[0] = &the_device
    return ok()


cdef const char* QueryDeviceStringEXT(void* device, int name) noexcept with gil:
    if device != &the_device:
        fail(EGL_BAD_PARAMETER)
        return NULL
    if name == EGL_EXTENSIONS:
        ok()
        return NOTHING
    if name == EGL_VENDOR:
        ok()
        return VENDOR
    fail(EGL_BAD_PARAMETER)
    return NULL


cdef unsigned int QueryDeviceAttribEXT(void* device, int attribute, Py_ssize_t* value) noexcept with gil:
    return fail(EGL_BAD_ATTRIBUTE)


cdef unsigned int QueryDisplayAttribEXT(void* dpy, int attribute, Py_ssize_t* value) noexcept with gil:
    if ready(dpy) == NULL:
        return EGL_FALSE
    if attribute != EGL_DEVICE_EXT:
        return fail(EGL_BAD_ATTRIBUTE)
    value[0] = <Py_ssize_t>&the_device
    return ok()


# -------------------------------------------------------------------------------------------------------- configs

cdef object config_of(void* config):
    """Its Config, or None. A config's handle is its number."""
    number = <Py_ssize_t>config
    return configs.CONFIGS[number - 1] if 1 <= number <= len(configs.CONFIGS) else None


cdef list pairs_of(const int* attributes):
    pairs = []
    if attributes != NULL:
        while attributes[0] != EGL_NONE:
            pairs.append((attributes[0], attributes[1]))
            attributes += 2
    return pairs


cdef unsigned int give_configs(list found, void** out, int size, int* count) except? 0:
    if out == NULL:
        count[0] = <int>len(found)
        return ok()
    count[0] = <int>min(len(found), max(size, 0))
    for i in range(count[0]):
        out[i] = <void*><Py_ssize_t>found[i].id
    return ok()


cdef unsigned int GetConfigs(void* dpy, void** configs_out, int config_size, int* num_config) noexcept with gil:
    if ready(dpy) == NULL:
        return EGL_FALSE
    if num_config == NULL:
        return fail(EGL_BAD_PARAMETER)
    return give_configs(list(configs.CONFIGS), configs_out, config_size, num_config)


cdef unsigned int ChooseConfig(void* dpy, const int* attrib_list, void** configs_out, int config_size,
                               int* num_config) noexcept with gil:
    if ready(dpy) == NULL:
        return EGL_FALSE
    if num_config == NULL:
        return fail(EGL_BAD_PARAMETER)
    try:
        found = configs.choose(pairs_of(attrib_list))
    except configs.BadAttribute:
        return fail(EGL_BAD_ATTRIBUTE)
    return give_configs(found, configs_out, config_size, num_config)


cdef unsigned int GetConfigAttrib(void* dpy, void* config, int attribute, int* value) noexcept with gil:
    if ready(dpy) == NULL:
        return EGL_FALSE
    found = config_of(config)
    if found is None:
        return fail(EGL_BAD_CONFIG)
    number = found.attributes.get(attribute)
    if number is None:
        return fail(EGL_BAD_ATTRIBUTE)
    value[0] = number
    return ok()


include "egl_contexts.pxi"
include "egl_surfaces.pxi"


# --------------------------------------------------------------------------------------------------------- current

cdef void share_session(Session* session, Context* mine) noexcept with gil:
    """A second thread joins the session: from now on each command of its contexts takes the session lock.

    The others' commands begin with a plain store of `inside` and a load of `gate`. So arm their gates, make both visible,
    and wait until the commands that had begun before are over.
    """
    cdef Context* other
    for address in contexts:
        other = <Context*><void*><uintptr_t>address
        if other.session == session:
            set_gate(other, <uint32_t>GATE_LOCK)
    let_others_see()
    for address in list(contexts):
        other = <Context*><void*><uintptr_t>address
        if other.session == session and other != mine:
            with nogil:                 # it may want the GIL to finish
                while is_set(&other.inside):
                    pause_briefly()


cdef void let_go() noexcept with gil:
    cdef Context* ctx = thread_context()
    cdef Session* session
    if ctx == NULL:
        return
    session = ctx.session
    if not session.lost:
        lock_enter(session)
        track_flush(ctx)
        track_release_context(ctx)
        session_publish(session)
        lock_leave(session)
    set_thread_context(NULL, NULL)
    ctx.current_thread = 0
    if is_ours(session):
        thread_detached(session)
    unreference(ctx.draw_surface)
    unreference(ctx.read_surface)
    if ctx.destroyed:
        end_context(ctx)


cdef void take_surfaces(Context* ctx, Surface* draw, Surface* read) noexcept nogil:
    """Bind the surfaces. The first time, viewport and scissor box take the size of the surface (specification 13.6.1)."""
    cdef Framebuffer* framebuffer = &ctx.default_framebuffer
    cdef int32_t width = draw.width if draw != NULL else 0
    cdef int32_t height = draw.height if draw != NULL else 0
    if draw != NULL:
        draw.refs += 1
    if read != NULL:
        read.refs += 1
    ctx.draw_surface = draw
    ctx.read_surface = read
    framebuffer.default_width = width
    framebuffer.default_height = height
    framebuffer.default_samples = draw.samples if draw != NULL else 0
    framebuffer.generation += 1
    if not ctx.was_current:
        ctx.was_current = 1
        viewports_cover(ctx, width, height)
        framebuffer.draw_buffers[0] = framebuffer.read_buffer = GL_BACK if draw != NULL else GL_NONE
    ctx.dirty = DIRTY_ALL


cdef unsigned int MakeCurrent(void* dpy, void* draw, void* read, void* context) noexcept with gil:
    cdef Display* display
    cdef Context* ctx = <Context*>context
    cdef Context* before = thread_context()
    cdef Session* session
    if context == NULL:
        if draw != NULL or read != NULL:
            return fail(EGL_BAD_MATCH)
        if display_of(dpy) == NULL:
            return EGL_FALSE
        let_go()
        return ok()
    display = ready(dpy)
    if display == NULL or valid_context(context) == NULL:
        return EGL_FALSE
    if (draw == NULL) != (read == NULL):
        return fail(EGL_BAD_MATCH)
    if draw != NULL and (valid_surface(draw) == NULL or valid_surface(read) == NULL):
        return EGL_FALSE
    session = ctx.session
    if session.lost:
        return fail(EGL_CONTEXT_LOST)
    if ctx.current_thread != 0 and ctx.current_thread != thread_number():
        return fail(EGL_BAD_ACCESS)
    for address in contexts:            # nor may another thread draw to a surface of ours
        if surface_taken(<Context*><void*><uintptr_t>address, ctx, <Surface*>draw, <Surface*>read):
            return fail(EGL_BAD_ACCESS)
    if before == ctx and ctx.draw_surface == draw and ctx.read_surface == read:
        return ok()
    if draw != NULL:                    # not freed with the old binding
        (<Surface*>draw).refs += 1
        (<Surface*>read).refs += 1
    ctx.refs += 1
    let_go()
    ctx.refs -= 1
    ctx.current_thread = thread_number()
    thread_attached(session)
    if session.lock != NULL and not ctx.gate & GATE_LOCK:
        share_session(session, ctx)
    take_surfaces(ctx, <Surface*>draw, <Surface*>read)
    if draw != NULL:
        (<Surface*>draw).refs -= 1
        (<Surface*>read).refs -= 1
    lock_enter(session)
    track_bind_context(ctx)
    lock_leave(session)
    set_thread_context(ctx, display)
    return ok()


cdef bint surface_taken(Context* other, Context* ctx, Surface* draw, Surface* read) noexcept nogil:
    if other == ctx or other.current_thread == 0 or other.current_thread == thread_number() or draw == NULL:
        return False
    return other.draw_surface == draw or other.draw_surface == read or other.read_surface == draw or other.read_surface == read


cdef unsigned int ReleaseThread() noexcept with gil:
    let_go()
    egl_thread().api = EGL_NONE
    return ok()


cdef void* GetCurrentContext() noexcept nogil:
    return egl_thread().context


cdef void* GetCurrentDisplay() noexcept nogil:
    return egl_thread().display


cdef void* GetCurrentSurface(int readdraw) noexcept nogil:
    cdef Context* ctx = thread_context()
    if readdraw != EGL_DRAW and readdraw != EGL_READ:
        fail(EGL_BAD_PARAMETER)
        return NULL
    ok()
    if ctx == NULL:
        return NULL
    return ctx.draw_surface if readdraw == EGL_DRAW else ctx.read_surface


cdef unsigned int SwapBuffers(void* dpy, void* surface) noexcept nogil:
    """Swapping a pbuffer moves nothing (EGL 1.5, 3.10.1); here it ends the frame, and waits while too many are not finished."""
    cdef Context* ctx = thread_context()
    if display_of(dpy) == NULL:
        return EGL_FALSE
    if ctx == NULL or surface == NULL or ctx.draw_surface != surface:
        return fail(EGL_BAD_SURFACE)
    if ctx.session.lost:
        return fail(EGL_CONTEXT_LOST)
    lock_enter(ctx.session)
    track_present(ctx)
    lock_leave(ctx.session)
    return fail(EGL_CONTEXT_LOST) if ctx.session.lost else ok()


cdef unsigned int SwapInterval(void* dpy, int interval) noexcept nogil:
    """Without a display there is no refresh to wait for, whatever the interval (EGL 1.5, 3.10.3). How far a program that swaps
    may be ahead is said by `frames_in_flight` alone."""
    cdef Context* ctx = thread_context()
    if display_of(dpy) == NULL:
        return EGL_FALSE
    if ctx == NULL:
        return fail(EGL_BAD_CONTEXT)
    if ctx.draw_surface == NULL:
        return fail(EGL_BAD_SURFACE)
    return ok()


cdef unsigned int WaitClient() noexcept nogil:
    cdef Context* ctx = thread_context()
    if ctx != NULL and not ctx.session.lost:
        lock_enter(ctx.session)
        track_finish(ctx)
        lock_leave(ctx.session)
    return ok()


cdef unsigned int WaitGL() noexcept nogil:
    return WaitClient()


cdef unsigned int WaitNative(int engine) noexcept nogil:
    return ok()                         # nothing else draws to a pbuffer


# ------------------------------------------------------------------------------------------------------ for Python

class ContextError(Exception):
    """A context could not be made or made current."""

    def __init__(self, what: str):
        super().__init__(f"{what} (EGL error 0x{GetError():04X})")


def create(handle, share: int = 0) -> int:
    """A 3.3 core context of this session, current nowhere; `share`: another one whose objects it sees."""
    cdef Context* shared = <Context*><void*><uintptr_t>share
    cdef Context* ctx
    cdef Session* session = <Session*><void*><uintptr_t>handle.address
    if shared != NULL and (share not in contexts or shared.session != session):
        raise ContextError("share is no context of this session")
    if session.lost:
        raise ContextError("the session is lost")
    ctx = context_new(session, shared.group if shared != NULL else NULL)
    if ctx == NULL:
        raise MemoryError
    session.users += 1
    contexts[<uintptr_t>ctx] = <uintptr_t>&loaders
    keepers[<uintptr_t>ctx] = handle
    return <uintptr_t>ctx


def make_current(ctx: int) -> None:
    """Without a surface: such contexts draw to framebuffer objects."""
    loaders.initialised, loaders.pid = 1, os.getpid()
    if not MakeCurrent(&loaders, NULL, NULL, <void*><uintptr_t>ctx):
        raise ContextError("the context could not be made current")


def current() -> int:
    """The calling thread's context; 0: none."""
    return <uintptr_t>egl_thread().context


def release_current() -> None:
    let_go()


def destroy(ctx: int) -> None:
    if ctx in contexts:
        destroy_context(<Context*><void*><uintptr_t>ctx)


def living(handle) -> dict:
    """What this process has of a session: contexts, surfaces, syncs of EGL, and objects by their kind."""
    cdef uint64_t[OBJECT_KINDS] counts
    cdef Session* session = <Session*><void*><uintptr_t>handle.address
    cdef Context* ctx
    cdef uint32_t i
    memset(counts, 0, sizeof(counts))
    groups = set()
    for address in contexts:
        ctx = <Context*><void*><uintptr_t>address
        if ctx.session == session:
            count_objects(ctx, <uintptr_t>ctx.group not in groups, counts)
            groups.add(<uintptr_t>ctx.group)
    kept = {address for address, keeper in keepers.items() if keeper is handle}
    return {"contexts": session.users, "surfaces": len(kept & surfaces.keys()), "EGL syncs": len(kept & syncs),
            **{kind: counts[i] for i, kind in enumerate(objects.KINDS)}}


include "egl_sync.pxi"
include "egl_refused.pxi"
