/* OpenGL that does nothing: what moderngl itself costs, with no implementation below it.
 *
 * Every entry point is one empty function, but for those whose answer a program needs to go on: a version, names that are
 * not zero, statuses that say success, memory to write to where a buffer is mapped. What programs consist of is answered
 * by floor.py, which has read the shaders; nothing of that is called per draw.
 */
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

typedef unsigned int GLuint;
typedef int GLint;

enum { MAPPED = 256 << 20 };

static long empty(void) { return 0; }
static GLuint one(void) { return 1; }
static GLuint complete(void) { return 0x8CD5; }                         /* GL_FRAMEBUFFER_COMPLETE */
static GLuint signalled(void) { return 0x911A; }                        /* GL_ALREADY_SIGNALED */
static const char *get_string(void) { return "nothing"; }

static void generate(GLint count, GLuint *names)
{
    static GLuint last;
    while (count-- > 0)
        *names++ = ++last;
}

static void get_integer(GLuint name, GLint *value)
{
    *value = name == 0x821B || name == 0x821C ? 3                       /* GL_MAJOR_VERSION, GL_MINOR_VERSION */
           : name == 0x821D ? 0                                         /* GL_NUM_EXTENSIONS */
           : 16;
    if (name == 0x0BA2 || name == 0x0C10)                               /* GL_VIEWPORT, GL_SCISSOR_BOX */
        value[1] = value[2] = value[3] = 16;
}

static void get_shader(GLuint shader, GLuint name, GLint *value)
{
    (void)shader;
    *value = name == 0x8B81;                                            /* GL_COMPILE_STATUS */
}

static void *map(void)
{
    static void *memory;
    if (memory == NULL)
        memory = mmap(NULL, MAPPED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory;
}

void *empty_address(const char *name)
{
    static const struct { const char *name; void *address; } answering[] = {
        {"glCheckFramebufferStatus", complete},
        {"glGetString", get_string}, {"glGetStringi", get_string}, {"glGetIntegerv", get_integer},
        {"glGetShaderiv", get_shader}, {"glUnmapBuffer", one}, {"glFenceSync", map}, {"glClientWaitSync", signalled},
        {"glMapBufferRange", map},
        {"glGenBuffers", generate}, {"glGenTextures", generate}, {"glGenVertexArrays", generate},
        {"glGenFramebuffers", generate}, {"glGenRenderbuffers", generate}, {"glGenSamplers", generate},
    };
    for (unsigned i = 0; i < sizeof(answering) / sizeof(*answering); i++)
        if (!strcmp(name, answering[i].name))
            return answering[i].address;
    return empty;
}
