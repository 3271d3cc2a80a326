/* SPIR-V to the text that a driver takes. No Python, no GIL, no exception, no global state. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

enum spirv_dialect { SPIRV_DESKTOP = 0 /* GLSL of the version given, core */, SPIRV_ES = 1 /* ESSL 3.20 */ };

/* State of the program that changes a stage's text; all zero is the usual case. */
struct specialise_options {
    int32_t separable;  /* the stage is linked alone: redeclare the built-in interface */
};

/* stage: 0 vertex, 1 tessellation control, 2 tessellation evaluation, 3 geometry, 4 fragment, 5 compute. Bindings are
 * those of the SPIR-V, set by set: uniform blocks, samplers (texture units), storage blocks, images; so are the
 * locations. The words may come from anywhere: what is not a sound module of that stage is refused. Returns 1 and the
 * text, or 0 and a message; *text is to be freed with free() either way and may be NULL after 0, when memory ran out.
 * options may be NULL. */
int spirv_dialect_text(const uint32_t* words, size_t count, int stage, int dialect, int glsl_version,
                       const struct specialise_options* options, char** text);

/* Of SPIRV-Cross: the version of its C API, the only number that it has. */
const char* spirv_cross_version(void);

#ifdef __cplusplus
}
#endif
