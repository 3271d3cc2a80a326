"""EGL 1.5 over a session: displays, contexts, pbuffer surfaces, and what is current in a thread. See egl.pyx."""

from libc.stdint cimport uint64_t
from mgpipe.front.context cimport Context

ctypedef void (*CurrentChanged)(Context* ctx) noexcept nogil

# Called in a thread whenever another context, or none, becomes current in it.
cdef void listen(CurrentChanged changed) noexcept nogil
# The context that is current in the calling thread, or NULL.
cdef Context* thread_context() noexcept nogil

cdef int GetError() noexcept nogil
cdef unsigned int QueryAPI() noexcept nogil
cdef void* GetCurrentContext() noexcept nogil
cdef void* GetCurrentDisplay() noexcept nogil
cdef void* GetCurrentSurface(int readdraw) noexcept nogil
cdef unsigned int BindAPI(unsigned int api) noexcept nogil
cdef unsigned int SwapInterval(void* dpy, int interval) noexcept nogil
cdef unsigned int WaitClient() noexcept nogil
cdef unsigned int WaitGL() noexcept nogil
cdef unsigned int WaitNative(int engine) noexcept nogil
cdef unsigned int SwapBuffers(void* dpy, void* surface) noexcept nogil
cdef void* GetDisplay(void* display_id) noexcept with gil
cdef void* GetPlatformDisplay(unsigned int platform, void* native_display, const Py_ssize_t* attrib_list) noexcept with gil
cdef void* GetPlatformDisplayEXT(unsigned int platform, void* native_display, const int* attrib_list) noexcept with gil
cdef unsigned int Initialize(void* dpy, int* major, int* minor) noexcept with gil
cdef unsigned int Terminate(void* dpy) noexcept with gil
cdef const char* QueryString(void* dpy, int name) noexcept with gil
cdef unsigned int GetConfigs(void* dpy, void** configs, int config_size, int* num_config) noexcept with gil
cdef unsigned int ChooseConfig(void* dpy, const int* attrib_list, void** configs, int config_size, int* num_config) noexcept with gil
cdef unsigned int GetConfigAttrib(void* dpy, void* config, int attribute, int* value) noexcept with gil
cdef void* CreateContext(void* dpy, void* config, void* share_context, const int* attrib_list) noexcept with gil
cdef void* CreatePbufferSurface(void* dpy, void* config, const int* attrib_list) noexcept with gil
cdef void* CreateWindowSurface(void* dpy, void* config, void* win, const int* attrib_list) noexcept with gil
cdef void* CreatePixmapSurface(void* dpy, void* config, void* pixmap, const int* attrib_list) noexcept with gil
cdef void* CreatePlatformWindowSurface(void* dpy, void* config, void* native_window, const Py_ssize_t* attrib_list) noexcept with gil
cdef void* CreatePlatformPixmapSurface(void* dpy, void* config, void* native_pixmap, const Py_ssize_t* attrib_list) noexcept with gil
cdef void* CreatePlatformWindowSurfaceEXT(void* dpy, void* config, void* native_window, const int* attrib_list) noexcept with gil
cdef void* CreatePlatformPixmapSurfaceEXT(void* dpy, void* config, void* native_pixmap, const int* attrib_list) noexcept with gil
cdef void* CreatePbufferFromClientBuffer(void* dpy, unsigned int buftype, void* buffer, void* config, const int* attrib_list) noexcept with gil
cdef unsigned int SurfaceAttrib(void* dpy, void* surface, int attribute, int value) noexcept with gil
cdef unsigned int BindTexImage(void* dpy, void* surface, int buffer) noexcept with gil
cdef unsigned int ReleaseTexImage(void* dpy, void* surface, int buffer) noexcept with gil
cdef unsigned int CopyBuffers(void* dpy, void* surface, void* target) noexcept with gil
cdef void* CreateSync(void* dpy, unsigned int type, const Py_ssize_t* attrib_list) noexcept with gil
cdef unsigned int DestroySync(void* dpy, void* sync) noexcept with gil
cdef int ClientWaitSync(void* dpy, void* sync, int flags, uint64_t timeout) noexcept with gil
cdef unsigned int WaitSync(void* dpy, void* sync, int flags) noexcept with gil
cdef unsigned int GetSyncAttrib(void* dpy, void* sync, int attribute, Py_ssize_t* value) noexcept with gil
cdef void* CreateSyncKHR(void* dpy, unsigned int type, const int* attrib_list) noexcept with gil
cdef unsigned int DestroySyncKHR(void* dpy, void* sync) noexcept with gil
cdef int ClientWaitSyncKHR(void* dpy, void* sync, int flags, uint64_t timeout) noexcept with gil
cdef int WaitSyncKHR(void* dpy, void* sync, int flags) noexcept with gil
cdef unsigned int GetSyncAttribKHR(void* dpy, void* sync, int attribute, int* value) noexcept with gil
cdef void* CreateImage(void* dpy, void* ctx, unsigned int target, void* buffer, const Py_ssize_t* attrib_list) noexcept with gil
cdef unsigned int DestroyImage(void* dpy, void* image) noexcept with gil
cdef unsigned int QueryContext(void* dpy, void* ctx, int attribute, int* value) noexcept with gil
cdef unsigned int QuerySurface(void* dpy, void* surface, int attribute, int* value) noexcept with gil
cdef unsigned int DestroyContext(void* dpy, void* ctx) noexcept with gil
cdef unsigned int DestroySurface(void* dpy, void* surface) noexcept with gil
cdef unsigned int QueryDevicesEXT(int max_devices, void** devices, int* num_devices) noexcept with gil
cdef const char* QueryDeviceStringEXT(void* device, int name) noexcept with gil
cdef unsigned int QueryDeviceAttribEXT(void* device, int attribute, Py_ssize_t* value) noexcept with gil
cdef unsigned int QueryDisplayAttribEXT(void* dpy, int attribute, Py_ssize_t* value) noexcept with gil
cdef unsigned int MakeCurrent(void* dpy, void* draw, void* read, void* ctx) noexcept with gil
cdef unsigned int ReleaseThread() noexcept with gil
