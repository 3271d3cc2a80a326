# Windows, pixmaps, images: each is refused as EGL says, by name where a person would wonder. Included by egl.pyx.

cdef void* CreateWindowSurface(void* dpy, void* config, void* win, const int* attrib_list) noexcept with gil:
    return no_window(dpy, "eglCreateWindowSurface")


cdef void* CreatePlatformWindowSurface(void* dpy, void* config, void* native_window,
                                       const Py_ssize_t* attrib_list) noexcept with gil:
    return no_window(dpy, "eglCreatePlatformWindowSurface")


cdef void* CreatePlatformWindowSurfaceEXT(void* dpy, void* config, void* native_window,
                                          const int* attrib_list) noexcept with gil:
    return no_window(dpy, "eglCreatePlatformWindowSurfaceEXT")


cdef void* no_window(void* dpy, str function) noexcept:
    if ready(dpy) != NULL:
        say(f"{function}: mgpipe draws to pbuffers and framebuffer objects; windows are not implemented yet")
        fail(EGL_BAD_NATIVE_WINDOW)
    return NULL


cdef void* no_pixmap(void* dpy) noexcept:
    if ready(dpy) != NULL:
        fail(EGL_BAD_NATIVE_PIXMAP)
    return NULL


cdef void* CreatePixmapSurface(void* dpy, void* config, void* pixmap, const int* attrib_list) noexcept with gil:
    return no_pixmap(dpy)


cdef void* CreatePlatformPixmapSurface(void* dpy, void* config, void* native_pixmap,
                                       const Py_ssize_t* attrib_list) noexcept with gil:
    return no_pixmap(dpy)


cdef void* CreatePlatformPixmapSurfaceEXT(void* dpy, void* config, void* native_pixmap,
                                          const int* attrib_list) noexcept with gil:
    return no_pixmap(dpy)


cdef unsigned int CopyBuffers(void* dpy, void* surface, void* target) noexcept with gil:
    no_pixmap(dpy)
    return EGL_FALSE


cdef void* CreatePbufferFromClientBuffer(void* dpy, unsigned int buftype, void* buffer, void* config,
                                         const int* attrib_list) noexcept with gil:
    if ready(dpy) != NULL:
        fail(EGL_BAD_PARAMETER)         # OpenVG is the only source of such buffers
    return NULL


cdef unsigned int BindTexImage(void* dpy, void* surface, int buffer) noexcept with gil:
    if ready(dpy) == NULL or valid_surface(surface) == NULL:
        return EGL_FALSE
    return fail(EGL_BAD_MATCH)          # every surface has EGL_NO_TEXTURE


cdef unsigned int ReleaseTexImage(void* dpy, void* surface, int buffer) noexcept with gil:
    return BindTexImage(dpy, surface, buffer)


cdef unsigned int not_implemented(void* dpy, str function) noexcept:
    if ready(dpy) != NULL:
        say(f"{function} is not implemented yet")
        fail(EGL_BAD_PARAMETER)
    return EGL_FALSE


cdef void* CreateImage(void* dpy, void* ctx, unsigned int target, void* buffer,
                       const Py_ssize_t* attrib_list) noexcept with gil:
    not_implemented(dpy, "eglCreateImage")
    return NULL


cdef unsigned int DestroyImage(void* dpy, void* image) noexcept with gil:
    return not_implemented(dpy, "eglDestroyImage")
