# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Finds the real libEGL and starts a context on it, beside our own libEGL that the process may hold.

Everything comes from one absolute path and its eglGetProcAddress: a bare SONAME would find our aliases, and libGL and
libGLX are never needed. RTLD_DEEPBIND makes the driver's own look-ups prefer its own libraries to ours.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint32_t
from libc.stdio cimport FILE, fclose, fgets, fopen, snprintf
from libc.stdlib cimport atoi, calloc, free, getenv, malloc
from libc.string cimport memset, strchr, strcmp, strcspn, strlen, strncmp, strstr
from driver_gl cimport *

cdef extern from "driver_tables.h" nogil:
    struct gl_bringer:
        unsigned int function
        unsigned int es
        unsigned int version
        const char* extension
        const char* name
    int DRIVER_EGL_FUNCTIONS
    int DRIVER_BRINGERS
    const char* const egl_names[]
    const gl_bringer gl_bringers[]

cdef extern from "dlfcn.h" nogil:
    void* dlopen(const char* path, int mode)
    void* dlsym(void* library, const char* name)
    const char* dlerror()
    int dlclose(void* library)
    int RTLD_NOW
    int RTLD_LOCAL
    int RTLD_DEEPBIND

cdef extern from "glob.h" nogil:
    ctypedef struct glob_t:
        size_t gl_pathc
        char** gl_pathv
    int glob(const char* pattern, int flags, void* on_error, glob_t* found)
    void globfree(glob_t* found)

cdef extern from "unistd.h" nogil:
    int access(const char* path, int mode)
    int F_OK

cdef enum:
    MOST_DEVICES = 32

ctypedef void* (*GetProcAddress)(const char*) noexcept nogil


cdef int driver_open(Driver* driver, uint32_t dialect, char* error, size_t error_size) noexcept nogil:
    memset(driver, 0, sizeof(Driver))
    driver.dialect = dialect
    driver.debug = getenv("MGPIPE_DRIVER_ERRORS") != NULL
    if open_library(driver, error, error_size) != 0:
        return -1
    if open_display(driver, error, error_size) != 0:
        driver_close(driver)
        return -1
    load_functions(driver)
    return 0


cdef void driver_close(Driver* driver) noexcept nogil:
    if driver.display != NULL:
        driver.egl.MakeCurrent(driver.display, NULL, NULL, NULL)
        if driver.context != NULL:
            driver.egl.DestroyContext(driver.display, driver.context)
        # No eglTerminate: displays are shared in a process, and in monolith another session may be using this one.
        driver.egl.ReleaseThread()
    # The library stays: Mesa's threads and thread-specific destructors may outlive us.
    free(driver.extensions)
    memset(driver, 0, sizeof(Driver))


# -- the library

cdef int open_library(Driver* driver, char* error, size_t size) noexcept nogil:
    cdef const char* named = getenv("MGPIPE_LIBEGL")
    if named != NULL and named[0] != 0:
        if named[0] != c"/":
            snprintf(error, size, "NoDriver: MGPIPE_LIBEGL must be an absolute path, not %s", named)
            return -1
        snprintf(driver.path, sizeof(driver.path), "%s", named)
    elif not find_library(driver.path, sizeof(driver.path)):
        snprintf(error, size, "NoDriver: no OpenGL driver on this machine: libEGL.so.1 was not found. Install one "
                 "(Debian: libegl1 libgl1-mesa-dri) or set MGPIPE_SERVER to a server that has one")
        return -1
    driver.library = dlopen(driver.path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND)
    if driver.library == NULL:
        snprintf(error, size, "NoDriver: %s could not be loaded: %s", driver.path, dlerror())
        return -1
    # Every alias of ours needs the extension module, so looking through one finds its init function.
    if dlsym(driver.library, "PyInit__gl") != NULL:
        snprintf(error, size, "NoDriver: %s is mgpipe itself, not a driver", driver.path)
        return -1
    cdef GetProcAddress get = <GetProcAddress>dlsym(driver.library, "eglGetProcAddress")
    cdef void** functions = <void**>&driver.egl
    cdef int i
    if get == NULL:
        snprintf(error, size, "NoDriver: %s has no eglGetProcAddress", driver.path)
        return -1
    for i in range(DRIVER_EGL_FUNCTIONS):
        functions[i] = get(egl_names[i])
    if driver.egl.Initialize == NULL or driver.egl.CreateContext == NULL:
        snprintf(error, size, "NoDriver: %s is older than EGL 1.5: its eglGetProcAddress knows no EGL functions",
                 driver.path)
        return -1
    return 0


cdef bint find_library(char* path, size_t size) noexcept nogil:
    """Where the dynamic loader would look, except for its search paths and its cache: those may lead to our aliases."""
    cdef const char** folders = [
        b"/usr/lib/x86_64-linux-gnu", b"/usr/lib/aarch64-linux-gnu", b"/usr/lib64", b"/usr/lib", b"/usr/local/lib",
        b"/lib/x86_64-linux-gnu", b"/lib/aarch64-linux-gnu", b"/lib64", b"/run/opengl-driver/lib"]
    cdef glob_t found
    cdef char line[512]
    cdef FILE* file
    cdef size_t i
    cdef bint hit = False
    for i in range(9):
        if library_in(folders[i], path, size):
            return True
    if glob("/etc/ld.so.conf.d/*.conf", 0, NULL, &found) != 0:
        return False
    for i in range(found.gl_pathc):
        file = fopen(found.gl_pathv[i], "r")
        if file == NULL:
            continue
        while not hit and fgets(line, sizeof(line), file) != NULL:
            line[strcspn(line, "\r\n")] = 0
            hit = line[0] == c"/" and library_in(line, path, size)
        fclose(file)
        if hit:
            break
    globfree(&found)
    return hit


cdef bint library_in(const char* folder, char* path, size_t size) noexcept nogil:
    return snprintf(path, size, "%s/libEGL.so.1", folder) < <int>size and access(path, F_OK) == 0


# -- the display

cdef bint listed(const char* extensions, const char* name) noexcept nogil:
    cdef size_t length = strlen(name)
    cdef const char* at = extensions
    while at != NULL:
        at = strstr(at, name)
        if at == NULL:
            return False
        if (at == extensions or (at - 1)[0] == c" ") and (at[length] == c" " or at[length] == 0):
            return True
        at += length
    return False


cdef int open_display(Driver* driver, char* error, size_t size) noexcept nogil:
    """The device that MGPIPE_DEVICE numbers; else the first real one that works, else software, else surfaceless."""
    cdef EGL* egl = &driver.egl
    cdef const char* client = egl.QueryString(NULL, EGL_EXTENSIONS)
    cdef const char* wanted = getenv("MGPIPE_DEVICE")
    cdef EGLDeviceEXT devices[MOST_DEVICES]
    cdef EGLint count = 0
    cdef int i, software
    cdef char reason[256]
    snprintf(reason, sizeof(reason), "it offers neither a device nor a surfaceless display")
    if list_devices(egl, devices, &count):
        if wanted != NULL and wanted[0] != 0:
            i = atoi(wanted)
            if i < 0 or i >= count:
                snprintf(error, size, "NoDriver: MGPIPE_DEVICE is %s, but %s has %d devices", wanted, driver.path, count)
                return -1
            if try_display(driver, egl.GetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL), reason,
                           sizeof(reason)):
                return 0
            snprintf(error, size, "NoDriver: device %d of %s does not work: %s", i, driver.path, reason)
            return -1
        for software in range(2):
            for i in range(count):
                if is_software(egl, devices[i]) == (software != 0) and try_display(
                        driver, egl.GetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL), reason,
                        sizeof(reason)):
                    return 0
    if listed(client, "EGL_MESA_platform_surfaceless"):
        if try_display(driver, egl.GetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL), reason,
                       sizeof(reason)):
            return 0
    if try_display(driver, egl.GetDisplay(NULL), reason, sizeof(reason)):
        return 0
    snprintf(error, size, "NoDriver: %s found no usable driver: %s. Install one (Debian: libegl1 libgl1-mesa-dri) or "
             "set MGPIPE_SERVER", driver.path, reason)
    return -1


cdef bint list_devices(EGL* egl, EGLDeviceEXT* devices, EGLint* count) noexcept nogil:
    """Up to MOST_DEVICES. False: this libEGL cannot enumerate them."""
    cdef const char* client = egl.QueryString(NULL, EGL_EXTENSIONS)
    count[0] = 0
    if (not listed(client, "EGL_EXT_platform_device")
            or not (listed(client, "EGL_EXT_device_enumeration") or listed(client, "EGL_EXT_device_base"))):
        return False
    egl.QueryDevicesEXT(MOST_DEVICES, devices, count)
    return True


def enumerate_devices() -> list[tuple[int, bool, str]]:
    """Number, whether it is software, and name of each EGL device; none where they cannot be enumerated. OSError: there is no
    driver. For a process that ends soon: the library stays loaded."""
    cdef Driver driver
    cdef EGLDeviceEXT devices[MOST_DEVICES]
    cdef EGLint count = 0
    cdef EGLint i
    cdef char error[512]
    memset(&driver, 0, sizeof(driver))
    if open_library(&driver, error, sizeof(error)) != 0:
        raise OSError(error.decode(errors="replace").removeprefix("NoDriver: "))
    list_devices(&driver.egl, devices, &count)
    return [(i, bool(is_software(&driver.egl, devices[i])), device_name(&driver.egl, devices[i])) for i in range(count)]


cdef str device_name(EGL* egl, EGLDeviceEXT device):
    """As the driver calls it; else its device file; else that it is software."""
    cdef const char* extensions = egl.QueryDeviceStringEXT(device, EGL_EXTENSIONS) if egl.QueryDeviceStringEXT != NULL else NULL
    cdef const char* text = NULL
    if listed(extensions, "EGL_EXT_device_query_name"):
        text = egl.QueryDeviceStringEXT(device, EGL_RENDERER_EXT)
    if text == NULL and listed(extensions, "EGL_EXT_device_drm"):
        text = egl.QueryDeviceStringEXT(device, EGL_DRM_DEVICE_FILE_EXT)
    if text == NULL and listed(extensions, "EGL_MESA_device_software"):
        return "software"
    return text.decode(errors="replace") if text != NULL else "a device without a name"


cdef bint is_software(EGL* egl, EGLDeviceEXT device) noexcept nogil:
    return egl.QueryDeviceStringEXT != NULL and listed(egl.QueryDeviceStringEXT(device, EGL_EXTENSIONS),
                                                       "EGL_MESA_device_software")


cdef bint try_display(Driver* driver, EGLDisplay display, char* reason, size_t size) noexcept nogil:
    cdef EGL* egl = &driver.egl
    cdef EGLint major = 0, minor = 0, count = 0
    cdef EGLint* attributes = [EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, 0, EGL_NONE]
    cdef int* versions = [46, 45, 44, 43]
    cdef const char* extensions
    cdef bint gl = driver.dialect == DIALECT_GL
    cdef int i
    if display == NULL or not egl.Initialize(display, &major, &minor):
        snprintf(reason, size, "eglInitialize failed (0x%x)", egl.GetError())
        return False
    extensions = egl.QueryString(display, EGL_EXTENSIONS)
    if not listed(extensions, "EGL_KHR_surfaceless_context"):
        snprintf(reason, size, "EGL_KHR_surfaceless_context is missing")
        return False
    driver.display = display
    driver.config = NULL
    driver.robust = major == 1 and minor >= 5 or listed(extensions, "EGL_EXT_create_context_robustness")
    if not listed(extensions, "EGL_KHR_no_config_context"):
        attributes[3] = EGL_OPENGL_BIT if gl else EGL_OPENGL_ES3_BIT
        if not egl.ChooseConfig(display, attributes, &driver.config, 1, &count) or count == 0:
            snprintf(reason, size, "no EGL config renders %s", b"OpenGL" if gl else b"OpenGL ES 3")
            return False
    while True:
        for i in range(4 if gl else 1):
            driver.version = versions[i] if gl else 32
            driver.context = driver_new_context(driver, NULL)
            if driver.context != NULL:
                break
        if driver.context != NULL or not driver.robust:
            break
        driver.robust = False       # it says that it has them, and makes none
    if driver.context == NULL:
        snprintf(reason, size, "it has no %s (0x%x)", b"OpenGL 4.3 core" if gl else b"OpenGL ES 3.2", egl.GetError())
        driver.display = NULL
        return False
    if not egl.MakeCurrent(display, NULL, NULL, driver.context):
        snprintf(reason, size, "eglMakeCurrent failed (0x%x)", egl.GetError())
        egl.DestroyContext(display, driver.context)
        driver.context = NULL
        driver.display = NULL
        return False
    return True


cdef EGLContext driver_new_context(Driver* driver, EGLContext share) noexcept nogil:
    cdef EGLint* attributes = [EGL_CONTEXT_MAJOR_VERSION, <EGLint>driver.version // 10, EGL_CONTEXT_MINOR_VERSION,
                               <EGLint>driver.version % 10, EGL_CONTEXT_OPENGL_DEBUG, driver.debug, EGL_NONE, 0,
                               EGL_NONE, 0, EGL_NONE, 0, EGL_NONE]
    cdef int at = 6
    if driver.dialect == DIALECT_GL:
        attributes[at] = EGL_CONTEXT_OPENGL_PROFILE_MASK
        attributes[at + 1] = EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT
        at += 2
    if driver.robust:
        attributes[at] = EGL_CONTEXT_OPENGL_ROBUST_ACCESS
        attributes[at + 1] = EGL_TRUE
        attributes[at + 2] = EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY
        attributes[at + 3] = EGL_LOSE_CONTEXT_ON_RESET
    driver.egl.BindAPI(EGL_OPENGL_API if driver.dialect == DIALECT_GL else EGL_OPENGL_ES_API)
    return driver.egl.CreateContext(driver.display, driver.config, share, attributes)


# -- the functions

cdef void load_functions(Driver* driver) noexcept nogil:
    """Each function from the first version or extension that really brings it; NULL where none does."""
    cdef GL* gl = &driver.gl
    cdef void** functions = <void**>gl
    cdef GetProcAddress get = <GetProcAddress>driver.egl.GetProcAddress
    cdef unsigned int es = driver.dialect == DIALECT_GLES
    cdef const gl_bringer* bringer
    cdef int i
    gl.GetIntegerv = <void (*)(GLenum, GLint*) noexcept nogil>get("glGetIntegerv")
    gl.GetStringi = <const GLubyte* (*)(GLenum, GLuint) noexcept nogil>get("glGetStringi")
    read_version(driver)
    read_extensions(driver)
    for i in range(DRIVER_BRINGERS):
        bringer = &gl_bringers[i]
        if functions[bringer.function] != NULL or bringer.es != es:
            continue
        if (bringer.version <= driver.version if bringer.version else driver_has(driver, bringer.extension)):
            functions[bringer.function] = get(bringer.name)


cdef void read_version(Driver* driver) noexcept nogil:
    cdef GLint major = 0, minor = 0
    driver.gl.GetIntegerv(GL_MAJOR_VERSION, &major)
    driver.gl.GetIntegerv(GL_MINOR_VERSION, &minor)
    driver.version = major * 10 + minor


cdef void read_extensions(Driver* driver) noexcept nogil:
    """But those that MGPIPE_DRIVER_WITHOUT names, so that what stands in for them can be tested."""
    cdef const char* without = getenv("MGPIPE_DRIVER_WITHOUT")
    cdef const char* name
    cdef GLint count = 0
    cdef GLint i
    cdef size_t size = 2, at = 0
    driver.gl.GetIntegerv(GL_NUM_EXTENSIONS, &count)
    for i in range(count):
        size += strlen(<const char*>driver.gl.GetStringi(GL_EXTENSIONS, i)) + 1
    driver.extensions = <char*>calloc(1, size)
    if driver.extensions == NULL:
        return
    for i in range(count):
        name = <const char*>driver.gl.GetStringi(GL_EXTENSIONS, i)
        if without == NULL or not listed(without, name):
            at += snprintf(driver.extensions + at, size - at, "%s ", name)


cdef bint driver_has(Driver* driver, const char* extension) noexcept nogil:
    return driver.extensions != NULL and listed(driver.extensions, extension)
