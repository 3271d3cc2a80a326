/* OpenGL that does nothing: what moderngl itself costs, with no implementation below it.
 *
 * Every entry point is one empty function, but for the few whose answer moderngl needs before it draws: a version,
 * names that are not zero, statuses that say success, and the reflection of the one program of scenes.py (an attribute
 * `corner`, uniforms `shift` and `colour`).
 */
#include <string.h>

typedef unsigned int GLuint;
typedef int GLint;

static long empty(void) { return 0; }
static GLuint one(void) { return 1; }
static GLuint complete(void) { return 0x8CD5; }                         /* GL_FRAMEBUFFER_COMPLETE */
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

static void get_program(GLuint program, GLuint name, GLint *value)
{
    (void)program;
    *value = name == 0x8B82 || name == 0x8B89 ? 1                       /* GL_LINK_STATUS, GL_ACTIVE_ATTRIBUTES */
           : name == 0x8B86 ? 2                                         /* GL_ACTIVE_UNIFORMS */
           : 0;
}

static void get_shader(GLuint shader, GLuint name, GLint *value)
{
    (void)shader;
    *value = name == 0x8B81;                                            /* GL_COMPILE_STATUS */
}

static void describe(const char *name, GLuint kind, GLint *length, GLint *size, GLuint *type, char *text)
{
    strcpy(text, name);
    *length = (GLint)strlen(name);
    *size = 1;
    *type = kind;
}

static void get_attribute(GLuint program, GLuint index, GLint room, GLint *length, GLint *size, GLuint *type,
                          char *text)
{
    (void)program, (void)index, (void)room;
    describe("corner", 0x8B50, length, size, type, text);               /* GL_FLOAT_VEC2 */
}

static void get_uniform(GLuint program, GLuint index, GLint room, GLint *length, GLint *size, GLuint *type, char *text)
{
    (void)program, (void)room;
    if (index == 0)
        describe("shift", 0x1406, length, size, type, text);            /* GL_FLOAT */
    else
        describe("colour", 0x8B52, length, size, type, text);           /* GL_FLOAT_VEC4 */
}

static GLint uniform_location(GLuint program, const char *name) { (void)program; return name[0] == 'c'; }

void *empty_address(const char *name)
{
    static const struct { const char *name; void *address; } answering[] = {
        {"glCreateShader", one}, {"glCreateProgram", one}, {"glCheckFramebufferStatus", complete},
        {"glGetString", get_string}, {"glGetStringi", get_string}, {"glGetIntegerv", get_integer},
        {"glGetProgramiv", get_program}, {"glGetShaderiv", get_shader}, {"glGetActiveAttrib", get_attribute},
        {"glGetActiveUniform", get_uniform}, {"glGetUniformLocation", uniform_location},
        {"glGenBuffers", generate}, {"glGenTextures", generate}, {"glGenVertexArrays", generate},
        {"glGenFramebuffers", generate}, {"glGenRenderbuffers", generate}, {"glGenSamplers", generate},
    };
    for (unsigned i = 0; i < sizeof(answering) / sizeof(*answering); i++)
        if (!strcmp(name, answering[i].name))
            return answering[i].address;
    return empty;
}
