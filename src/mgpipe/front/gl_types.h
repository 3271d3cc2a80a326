/* The scalar types of OpenGL, as the Khronos registry declares them. */
#pragma once
#include <stdint.h>

typedef uint32_t GLenum;
typedef uint32_t GLuint;
typedef int32_t GLint;
typedef int32_t GLsizei;
typedef uint32_t GLbitfield;
typedef uint8_t GLboolean;
typedef float GLfloat;
typedef double GLdouble;
typedef char GLchar;
typedef int8_t GLbyte;
typedef uint8_t GLubyte;
typedef int16_t GLshort;
typedef uint16_t GLushort;
typedef intptr_t GLintptr;
typedef intptr_t GLsizeiptr;
typedef int64_t GLint64;
typedef uint64_t GLuint64;
