# Contexts of EGL: what may be asked for, birth and death. Included by egl.pyx.

class Refused(Exception):
    """eglCreateContext: an EGL error, and a sentence for the person where the error alone would not help."""

    def __init__(self, error: int, sentence: str = ""):
        super().__init__(sentence)
        self.error = error


def context_request(list attributes, int promised) -> tuple:
    """(flags, robust) of a context that may be made where version `promised` is the newest; Refused for one that we cannot promise."""
    major, minor, flags, profile, robust = 1, 0, 0, None, 0
    for attribute, value in attributes:
        if attribute == EGL_CONTEXT_MAJOR_VERSION: major = value
        elif attribute == EGL_CONTEXT_MINOR_VERSION: minor = value
        elif attribute == EGL_CONTEXT_FLAGS_KHR: flags |= value
        elif attribute == EGL_CONTEXT_OPENGL_PROFILE_MASK: profile = value
        elif attribute == EGL_CONTEXT_OPENGL_DEBUG: flags |= FLAG_DEBUG if value else 0
        elif attribute == EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE: flags |= FLAG_FORWARD_COMPATIBLE if value else 0
        elif attribute in (EGL_CONTEXT_OPENGL_ROBUST_ACCESS, EGL_CONTEXT_OPENGL_ROBUST_ACCESS_EXT):
            flags |= FLAG_ROBUST_ACCESS if value else 0
        elif attribute in (EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                           EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT):
            robust = int(value == EGL_LOSE_CONTEXT_ON_RESET)
        elif attribute not in (EGL_CONTEXT_OPENGL_NO_ERROR_KHR, EGL_CONTEXT_PRIORITY_LEVEL_IMG):
            raise Refused(EGL_BAD_ATTRIBUTE)
    version = f"{major}.{minor}"
    if flags & ~(FLAG_DEBUG | FLAG_FORWARD_COMPATIBLE | FLAG_ROBUST_ACCESS):
        raise Refused(EGL_BAD_ATTRIBUTE)
    if 10 * major + minor > promised:
        raise Refused(EGL_BAD_MATCH, f"a context of OpenGL {version} was asked for; mgpipe has {promised // 10}.{promised % 10} "
                                     "core here")
    if (major, minor) >= (3, 2) and profile is not None and profile & 1 == 0:
        raise Refused(EGL_BAD_MATCH, f"a compatibility-profile context of OpenGL {version} was asked for; mgpipe implements "
                                     "the core profile only")
    if (major, minor) < (3, 1):
        raise Refused(EGL_BAD_MATCH, f"a context of OpenGL {version} was asked for, which has the compatibility profile's "
                                     "features; mgpipe implements the core profile: ask for version 3.3")
    return flags, robust


cdef void* CreateContext(void* dpy, void* config, void* share_context, const int* attrib_list) noexcept with gil:
    cdef Display* display = ready(dpy)
    cdef Context* shared = <Context*>share_context
    cdef Context* ctx
    if display == NULL:
        return NULL
    if config != NULL and config_of(config) is None:        # EGL_KHR_no_config_context allows none
        fail(EGL_BAD_CONFIG)
        return NULL
    if egl_thread().api != EGL_OPENGL_API:
        say("eglCreateContext without eglBindAPI(EGL_OPENGL_API): that asks for OpenGL ES, which mgpipe does not offer")
        fail(EGL_BAD_MATCH)
        return NULL
    if shared != NULL and (<uintptr_t>shared not in contexts or shared.session != display.session):
        fail(EGL_BAD_CONTEXT)
        return NULL
    if display.session.lost:
        fail(EGL_CONTEXT_LOST)
        return NULL
    try:
        flags, robust = context_request(pairs_of(attrib_list), display.session.gl_version)
    except Refused as refusal:
        if str(refusal):
            say(str(refusal))
        fail(refusal.error)
        return NULL
    ctx = context_new(display.session, shared.group if shared != NULL else NULL)
    if ctx == NULL:
        fail(EGL_BAD_ALLOC)
        return NULL
    ctx.flags = flags
    ctx.robust = robust
    if flags & FLAG_DEBUG:              # a debug context begins with debug output on (specification 20.1)
        ctx.debug_flags = 1
        arm_debug(ctx, True)
    ctx.config = <uint32_t><uintptr_t>config
    display.session.users += 1
    contexts[<uintptr_t>ctx] = <uintptr_t>display
    keepers[<uintptr_t>ctx] = keepers[<uintptr_t>display]
    ok()
    return ctx


cdef Context* valid_context(void* ctx) noexcept with gil:
    if <uintptr_t>ctx not in contexts:
        fail(EGL_BAD_CONTEXT)
        return NULL
    return <Context*>ctx


cdef bint is_ours(Session* session) noexcept with gil:
    """False in a forked child for what it inherited."""
    return session.owner_pid == <uint32_t>os.getpid()


cdef void destroy_context(Context* ctx) noexcept with gil:
    contexts.pop(<uintptr_t>ctx, None)
    ctx.destroyed = 1
    if ctx.current_thread == 0:
        end_context(ctx)


cdef void end_context(Context* ctx) noexcept with gil:
    cdef Session* session = ctx.session
    if not is_ours(session):
        return                          # a forked child: the memory is its copy of the parent's, and the lock may be held
    lock_enter(session)
    release_objects(ctx)                # of a lost session: here, where records go nowhere
    track_destroy_context(ctx)
    session.users -= 1
    if session.users == 0:
        track_session_unused(session)
    lock_leave(session)
    context_free(ctx)
    keepers.pop(<uintptr_t>ctx, None)


cdef unsigned int DestroyContext(void* dpy, void* ctx) noexcept with gil:
    if display_of(dpy) == NULL or valid_context(ctx) == NULL:
        return EGL_FALSE
    destroy_context(<Context*>ctx)
    return ok()


cdef unsigned int QueryContext(void* dpy, void* ctx, int attribute, int* value) noexcept with gil:
    if ready(dpy) == NULL or valid_context(ctx) == NULL:
        return EGL_FALSE
    if attribute == EGL_CONFIG_ID: value[0] = (<Context*>ctx).config
    elif attribute == EGL_CONTEXT_CLIENT_TYPE: value[0] = EGL_OPENGL_API
    elif attribute == EGL_CONTEXT_CLIENT_VERSION: value[0] = 3
    elif attribute == EGL_RENDER_BUFFER:
        value[0] = EGL_BACK_BUFFER if (<Context*>ctx).draw_surface != NULL else EGL_NONE
    else:
        return fail(EGL_BAD_ATTRIBUTE)
    return ok()
