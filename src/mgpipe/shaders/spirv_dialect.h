/* SPIR-V to the text that a driver takes. No Python, no GIL, no exception, no global state. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

enum spirv_dialect { SPIRV_DESKTOP = 0 /* GLSL of the version given, core */, SPIRV_ES = 1 /* ESSL 3.20 */ };

#define SPIRV_IMAGES 32
#define SPIRV_FEEDBACK_NAMES 256

/* What transform feedback captures of the stage: `count` names, each with its zero byte. `widened` says, a bit a name,
 * which of them are of doubles: the text writes those into mgpipe_wide_N, N the name's position, as doubles. */
struct spirv_feedback {
    const char* names;
    uint32_t count;
    uint32_t widened[SPIRV_FEEDBACK_NAMES / 32];
};

/* State of the program that changes a stage's text; all zero is the usual case. */
struct specialise_options {
    int32_t separable;   /* the stage is linked alone: redeclare the built-in interface */
    int32_t point_size;  /* ES: points are as large as the uniform mgpipe_point_size says, whatever the shader writes */
    uint32_t logic_op;   /* ES, fragments: GL's enumerant, on targets of 8 bits and of integers; 0: colours replace */
    uint32_t alpha_one;  /* ES, fragments: the alpha of colours is one */
    uint32_t image_formats[SPIRV_IMAGES];  /* ES: of what is bound to each image unit, GL's enumerant; used where the
                                            * shader names none. 0: nothing is bound */
    struct spirv_feedback* feedback;  /* ES; NULL: nothing is captured of the stage */
};

/* A stage that the program does not have and GLSL ES needs; see spirv_between_text. */
enum generated_stage { GENERATED_TESS_CONTROL = 1, GENERATED_GEOMETRY = 3 };

struct generate_options {
    uint32_t stage;             /* generated_stage */
    uint32_t patch_vertices;    /* tessellation control: of the patches drawn */
    uint32_t corners;           /* geometry: vertices of a primitive, 1 to 3 */
    uint32_t adjacency;         /* geometry: with adjacent vertices, which are left out */
    uint32_t shown_as;          /* geometry: what comes out, corners again: triangles as 1 points, 2 lines, 3 themselves */
    uint32_t first_provokes;    /* geometry: flat values are those of the first vertex, as it was drawn: */
    uint32_t strip, fan;        /* geometry: of a strip every second triangle comes turned, of a fan the hub comes first */
    uint32_t cull_clockwise, cull_counter;  /* geometry: triangles that are left out, as seen in clip space */
    uint32_t point_size;        /* as in specialise_options */
};

/* A run of components of a stage's block of loose uniforms: from where the client has them, as doubles or as 4 bytes
 * each, to where the text has them, as floats or the same 4 bytes. */
struct spirv_move { uint32_t from, to, components, narrows; };

/* The stage's block of loose uniforms in the text. count 0: as the client has it. moves is to be freed with free().
 * plain: it is no block but the uniform SPIRV_PLAIN_NAME, an array of so many vec4, which hold the block's bytes. */
struct spirv_constants { struct spirv_move* moves; uint32_t count, size, plain; };

#define SPIRV_PLAIN_NAME "mgpipe_fragment_constants"

/* stage: 0 vertex, 1 tessellation control, 2 tessellation evaluation, 3 geometry, 4 fragment, 5 compute. Bindings are
 * those of the SPIR-V, set by set: uniform blocks, samplers (texture units), storage blocks, images; so are the
 * locations. The words may come from anywhere: what is not a sound module of that stage is refused. Returns 1 and the
 * text, or 0 and a message; *text is to be freed with free() either way and may be NULL after 0, when memory ran out.
 * options and constants may be NULL; without the latter a block that has another layout in the text is
 * refused. */
int spirv_dialect_text(const uint32_t* words, size_t count, int stage, int dialect, int glsl_version,
                       const struct specialise_options* options, struct spirv_constants* constants, char** text);

/* The text of a stage of GLSL ES that hands on what the stage before it writes: `words` are that stage's. A tessellation
 * control stage takes its levels from the uniforms mgpipe_outer and mgpipe_inner. Returns as spirv_dialect_text does. */
int spirv_between_text(const uint32_t* words, size_t count, int stage_before, const struct generate_options* options,
                       char** text);

/* Of SPIRV-Cross: the version of its C API, the only number that it has. */
const char* spirv_cross_version(void);

#ifdef __cplusplus
}
#endif
