# Surfaces of EGL: pbuffers. Included by egl.pyx.

cdef Surface* valid_surface(void* surface) noexcept with gil:
    if <uintptr_t>surface not in surfaces:
        fail(EGL_BAD_SURFACE)
        return NULL
    return <Surface*>surface


cdef void* CreatePbufferSurface(void* dpy, void* config, const int* attrib_list) noexcept with gil:
    cdef Display* display = ready(dpy)
    cdef Surface* surface
    if display == NULL:
        return NULL
    chosen = config_of(config)
    if chosen is None:
        fail(EGL_BAD_CONFIG)
        return NULL
    width = height = largest = srgb = 0
    for attribute, value in pairs_of(attrib_list):
        if attribute == EGL_WIDTH: width = value
        elif attribute == EGL_HEIGHT: height = value
        elif attribute == EGL_LARGEST_PBUFFER: largest = value
        elif attribute == EGL_GL_COLORSPACE: srgb = int(value == EGL_GL_COLORSPACE_SRGB)
        elif attribute in (EGL_TEXTURE_FORMAT, EGL_TEXTURE_TARGET) and value != EGL_NO_TEXTURE:
            fail(EGL_BAD_MATCH)         # no config of ours can be bound to a texture
            return NULL
        elif attribute not in (EGL_TEXTURE_FORMAT, EGL_TEXTURE_TARGET, EGL_MIPMAP_TEXTURE):
            fail(EGL_BAD_ATTRIBUTE)
            return NULL
    if width < 0 or height < 0:
        fail(EGL_BAD_PARAMETER)
        return NULL
    if max(width, height) > configs.MAX_PBUFFER_SIDE:
        if not largest:
            fail(EGL_BAD_ALLOC)
            return NULL
        width, height = min(width, configs.MAX_PBUFFER_SIDE), min(height, configs.MAX_PBUFFER_SIDE)
    surface = <Surface*>calloc(1, sizeof(Surface))
    if surface == NULL:
        fail(EGL_BAD_ALLOC)
        return NULL
    surface.session = display.session
    surface.refs = 1
    surface.width, surface.height, surface.srgb = width, height, srgb
    surface.config, surface.samples, surface.alpha = chosen.id, chosen.samples, chosen.alpha
    surface.depth_size, surface.stencil_size = chosen.depth, chosen.stencil
    surfaces[<uintptr_t>surface] = <uintptr_t>display
    keepers[<uintptr_t>surface] = keepers[<uintptr_t>display]
    ok()
    return surface


cdef void unreference(Surface* surface) noexcept with gil:
    if surface == NULL:
        return
    surface.refs -= 1
    if surface.refs == 0:
        if is_ours(surface.session):
            lock_enter(surface.session)
            track_destroy_surface(surface)
            lock_leave(surface.session)
        keepers.pop(<uintptr_t>surface, None)
        free(surface)


cdef void destroy_surface(Surface* surface) noexcept with gil:
    surfaces.pop(<uintptr_t>surface, None)
    unreference(surface)


cdef unsigned int DestroySurface(void* dpy, void* surface) noexcept with gil:
    if display_of(dpy) == NULL or valid_surface(surface) == NULL:
        return EGL_FALSE
    destroy_surface(<Surface*>surface)
    return ok()


cdef unsigned int QuerySurface(void* dpy, void* surface, int attribute, int* value) noexcept with gil:
    cdef Surface* found
    if ready(dpy) == NULL or valid_surface(surface) == NULL:
        return EGL_FALSE
    found = <Surface*>surface
    if attribute == EGL_WIDTH: value[0] = found.width
    elif attribute == EGL_HEIGHT: value[0] = found.height
    elif attribute == EGL_CONFIG_ID: value[0] = found.config
    elif attribute == EGL_LARGEST_PBUFFER or attribute == EGL_MIPMAP_TEXTURE: value[0] = EGL_FALSE
    elif attribute == EGL_TEXTURE_FORMAT or attribute == EGL_TEXTURE_TARGET: value[0] = EGL_NO_TEXTURE
    elif attribute == EGL_RENDER_BUFFER: value[0] = EGL_BACK_BUFFER
    elif attribute == EGL_SWAP_BEHAVIOR: value[0] = EGL_BUFFER_PRESERVED
    elif attribute == EGL_MULTISAMPLE_RESOLVE: value[0] = EGL_MULTISAMPLE_RESOLVE_DEFAULT
    elif attribute == EGL_GL_COLORSPACE: value[0] = EGL_GL_COLORSPACE_SRGB if found.srgb else EGL_GL_COLORSPACE_LINEAR
    elif attribute == EGL_HORIZONTAL_RESOLUTION or attribute == EGL_VERTICAL_RESOLUTION: value[0] = -1     # EGL_UNKNOWN
    elif attribute == EGL_PIXEL_ASPECT_RATIO: value[0] = -1
    else:
        return fail(EGL_BAD_ATTRIBUTE)
    return ok()


cdef unsigned int SurfaceAttrib(void* dpy, void* surface, int attribute, int value) noexcept with gil:
    if ready(dpy) == NULL or valid_surface(surface) == NULL:
        return EGL_FALSE
    if attribute == EGL_MULTISAMPLE_RESOLVE and value == EGL_MULTISAMPLE_RESOLVE_DEFAULT:
        return ok()
    if attribute == EGL_SWAP_BEHAVIOR and value == EGL_BUFFER_PRESERVED:
        return ok()
    return fail(EGL_BAD_MATCH)
