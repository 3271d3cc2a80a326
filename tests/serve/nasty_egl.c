/* A libEGL that is the machine's own and misbehaves as NASTY_… says, for tests of what a server does about it. Its
 * eglGetProcAddress is all that mgpipe looks for in a library.
 *
 * NASTY_CONTEXTS=FILE   appends the attributes of each context that is made, a line each
 * NASTY_MOST_CONTEXTS=N with it: none is made after N of them in a process
 * NASTY_DIRTY=1         new storage holds 0xA5, as memory that another program has left
 * NASTY_RESET=FILE      once FILE exists, the driver has reset its context
 * NASTY_SLEEP=FILE      while FILE exists, glFinish does not return
 * NASTY_DEVICES=N       N devices are enumerated, all of them the first one */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void *(*GetProc)(const char *);
static GetProc real;

static void *find(const char *name)
{
    if (!real) {
        void *library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
        real = library ? (GetProc)dlsym(library, "eglGetProcAddress") : NULL;
    }
    return real ? real(name) : NULL;
}

#define REAL(result, name, ...) ((result(*)(__VA_ARGS__))find(#name))

static void *create_context(void *display, void *config, void *share, const int *attributes)
{
    static int made;
    const char *most = getenv("NASTY_MOST_CONTEXTS");
    FILE *file;
    void *context;
    if (most && made >= atoi(most))
        return NULL;
    file = fopen(getenv("NASTY_CONTEXTS"), "a");
    for (const int *at = attributes; file && *at != 0x3038; at += 2)
        fprintf(file, "%x=%x ", (unsigned)at[0], (unsigned)at[1]);
    if (file) {
        fprintf(file, "\n");
        fclose(file);
    }
    context = REAL(void *, eglCreateContext, void *, void *, void *, const int *)(display, config, share, attributes);
    made += context != NULL;
    return context;
}

static unsigned reset_status(void)
{
    return access(getenv("NASTY_RESET"), F_OK) == 0 ? 0x8253 /* GL_GUILTY_CONTEXT_RESET */ : 0;
}

static void finish(void)
{
    while (access(getenv("NASTY_SLEEP"), F_OK) == 0)
        usleep(10000);
    REAL(void, glFinish, void)();
}

static unsigned query_devices(int most, void **devices, int *count)
{
    void *first[1];
    int found = 0, i, n = atoi(getenv("NASTY_DEVICES"));
    REAL(unsigned, eglQueryDevicesEXT, int, void **, int *)(1, first, &found);
    for (i = 0; devices && found && i < n && i < most; i++)
        devices[i] = first[0];
    *count = found ? n : 0;
    return 1;
}

/* -- dirty memory */

static void dirty(unsigned place, unsigned name, int level, int is_renderbuffer)
{
    int before = 0, scissor = REAL(unsigned char, glIsEnabled, unsigned)(0x0C11);
    unsigned framebuffer = 0;
    static const float colour[4] = {0.65f, 0.65f, 0.65f, 0.65f};
    REAL(void, glGetIntegerv, unsigned, int *)(0x8CA6, &before);    /* GL_DRAW_FRAMEBUFFER_BINDING */
    REAL(void, glGenFramebuffers, int, unsigned *)(1, &framebuffer);
    REAL(void, glBindFramebuffer, unsigned, unsigned)(0x8CA9, framebuffer);
    if (is_renderbuffer)
        REAL(void, glFramebufferRenderbuffer, unsigned, unsigned, unsigned, unsigned)(0x8CA9, place, 0x8D41, name);
    else
        REAL(void, glFramebufferTexture, unsigned, unsigned, unsigned, int)(0x8CA9, place, name, level);
    REAL(void, glDisable, unsigned)(0x0C11);
    REAL(void, glClearBufferfv, unsigned, int, const float *)(0x1800, 0, colour);
    if (scissor)
        REAL(void, glEnable, unsigned)(0x0C11);
    REAL(void, glBindFramebuffer, unsigned, unsigned)(0x8CA9, (unsigned)before);
    REAL(void, glDeleteFramebuffers, int, const unsigned *)(1, &framebuffer);
}

static void buffer_data(unsigned target, long size, const void *data, unsigned usage)
{
    void *filth = data ? NULL : malloc((size_t)size + 1);
    if (filth)
        memset(filth, 0xA5, (size_t)size);
    REAL(void, glBufferData, unsigned, long, const void *, unsigned)(target, size, data ? data : filth, usage);
    free(filth);
}

static unsigned bound_texture(unsigned target)
{
    int name = 0;
    REAL(void, glGetIntegerv, unsigned, int *)(target == 0x8513 ? 0x8514 : target == 0x8C1A ? 0x8C1D :
                                               target == 0x9100 ? 0x9104 : 0x8069, &name);
    return (unsigned)name;
}

static void tex_image(unsigned target, int level, int internal, int width, int height, int border, unsigned format,
                      unsigned type, const void *data)
{
    REAL(void, glTexImage2D, unsigned, int, int, int, int, int, unsigned, unsigned, const void *)(
        target, level, internal, width, height, border, format, type, data);
    if (!data && target == 0x0DE1 && format == 0x1908)
        dirty(0x8CE0, bound_texture(target), level, 0);
}

static void tex_storage(unsigned target, int levels, unsigned internal, int width, int height)
{
    REAL(void, glTexStorage2D, unsigned, int, unsigned, int, int)(target, levels, internal, width, height);
    for (int level = 0; level < levels && internal == 0x8058; level++)
        dirty(0x8CE0, bound_texture(target), level, 0);
}

static void tex_image_samples(unsigned target, int samples, unsigned internal, int width, int height, unsigned char fixed)
{
    REAL(void, glTexImage2DMultisample, unsigned, int, unsigned, int, int, unsigned char)(
        target, samples, internal, width, height, fixed);
    dirty(0x8CE0, bound_texture(target), 0, 0);
}

static void renderbuffer_storage(unsigned target, int samples, unsigned internal, int width, int height)
{
    int name = 0;
    REAL(void, glRenderbufferStorageMultisample, unsigned, int, unsigned, int, int)(target, samples, internal, width, height);
    REAL(void, glGetIntegerv, unsigned, int *)(0x8CA7, &name);      /* GL_RENDERBUFFER_BINDING */
    if (internal == 0x8058)
        dirty(0x8CE0, (unsigned)name, 0, 1);
}

void *eglGetProcAddress(const char *name)
{
    static const struct {
        const char *name, *when;
        void *instead;
    } changed[] = {
        {"eglCreateContext", "NASTY_CONTEXTS", (void *)create_context},
        {"glGetGraphicsResetStatus", "NASTY_RESET", (void *)reset_status},
        {"glGetGraphicsResetStatusKHR", "NASTY_RESET", (void *)reset_status},
        {"glFinish", "NASTY_SLEEP", (void *)finish},
        {"eglQueryDevicesEXT", "NASTY_DEVICES", (void *)query_devices},
        {"glBufferData", "NASTY_DIRTY", (void *)buffer_data},
        {"glTexImage2D", "NASTY_DIRTY", (void *)tex_image},
        {"glTexStorage2D", "NASTY_DIRTY", (void *)tex_storage},
        {"glTexImage2DMultisample", "NASTY_DIRTY", (void *)tex_image_samples},
        {"glRenderbufferStorageMultisample", "NASTY_DIRTY", (void *)renderbuffer_storage},
    };
    if (strcmp(name, "eglGetProcAddress") == 0)
        return (void *)eglGetProcAddress;
    for (unsigned i = 0; i < sizeof(changed) / sizeof(*changed); i++)
        if (strcmp(name, changed[i].name) == 0 && getenv(changed[i].when) && find(name))
            return changed[i].instead;
    return find(name);
}
