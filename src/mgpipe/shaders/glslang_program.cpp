// Parsing, linking and SPIR-V generation: the C ABI of glslang_shim.h.
#include "glslang_program.h"

#include <algorithm>

#include <glslang/Public/ResourceLimits.h>
#include <glslang/SPIRV/GlslangToSpv.h>

using namespace glslang;

namespace mgpipe {

EShLanguage language(glsl_stage stage) {
    static constexpr EShLanguage languages[] = {EShLangVertex,   EShLangTessControl, EShLangTessEvaluation,
                                                EShLangGeometry, EShLangFragment,    EShLangCompute};
    return languages[stage];
}

const char* constants_name(glsl_stage stage) {
    static constexpr const char* names[] = {"mgpipe_vertex",   "mgpipe_tess_control", "mgpipe_tess_evaluation",
                                            "mgpipe_geometry", "mgpipe_fragment",     "mgpipe_compute"};
    return names[stage];
}

static const TBuiltInResource& limits() {
    static const TBuiltInResource resources = [] {
        TBuiltInResource r = *GetDefaultResources();
        r.maxDrawBuffers = 8;  // the size of gl_FragData
        // What catalogue/limits.py promises at most: the gl_Max… constants, and what a declaration may name.
        r.maxImageUnits = 32;
        r.maxImageSamples = 4;
        r.maxVertexImageUniforms = r.maxTessControlImageUniforms = r.maxTessEvaluationImageUniforms = 32;
        r.maxGeometryImageUniforms = r.maxFragmentImageUniforms = r.maxComputeImageUniforms = 32;
        r.maxCombinedImageUniforms = 32;
        r.maxAtomicCounterBindings = 8;
        r.maxAtomicCounterBufferSize = 16384;
        r.maxVertexAtomicCounters = r.maxTessControlAtomicCounters = r.maxTessEvaluationAtomicCounters = 4096;
        r.maxGeometryAtomicCounters = r.maxFragmentAtomicCounters = r.maxComputeAtomicCounters = 4096;
        r.maxCombinedAtomicCounters = 4096;
        r.maxVertexAtomicCounterBuffers = r.maxTessControlAtomicCounterBuffers = 8;
        r.maxTessEvaluationAtomicCounterBuffers = r.maxGeometryAtomicCounterBuffers = 8;
        r.maxFragmentAtomicCounterBuffers = r.maxComputeAtomicCounterBuffers = r.maxCombinedAtomicCounterBuffers = 8;
        r.maxComputeWorkGroupSizeX = r.maxComputeWorkGroupSizeY = r.maxComputeWorkGroupSizeZ = 1024;
        return r;
    }();
    return resources;
}

static EShMessages rules(glsl_mode mode) {
    return mode == GLSL_VIEW ? EShMsgDefault : EShMessages(EShMsgSpvRules | EShMsgVulkanRules);
}

// Writes the caller's numbers into every mention of a symbol: SPIR-V generation takes them from whichever it meets
// first.
class Placer : public TIntermTraverser {
    const std::unordered_map<long long, Placement>& placements;

public:
    explicit Placer(const std::unordered_map<long long, Placement>& placements) : placements(placements) {}

    void visitSymbol(TIntermSymbol* symbol) override {
        const auto found = placements.find(symbol->getId());
        if (found == placements.end()) return;
        const Placement& place = found->second;
        TQualifier& qualifier = symbol->getWritableType().getQualifier();
        if (place.set >= 0) {
            qualifier.layoutSet = place.set;
            qualifier.layoutBinding = place.binding;
            qualifier.layoutLocation = TQualifier::layoutLocationEnd;  // Vulkan has no locations of uniforms
            return;
        }
        qualifier.layoutLocation = place.location;
        if (place.index > 0) qualifier.layoutIndex = place.index;
        qualifier.flat = place.interpolation & GLSL_FLAT;
        qualifier.nopersp = place.interpolation & GLSL_NOPERSPECTIVE;
        qualifier.centroid = place.interpolation & GLSL_CENTROID;
        qualifier.sample = place.interpolation & GLSL_SAMPLE;
    }
};

static uint32_t gl_primitive(TLayoutGeometry geometry) {
    switch (geometry) {
    case ElgPoints: return 0x0000;              // GL_POINTS
    case ElgLines: return 0x0001;               // GL_LINES
    case ElgLineStrip: return 0x0003;           // GL_LINE_STRIP
    case ElgTriangles: return 0x0004;           // GL_TRIANGLES
    case ElgTriangleStrip: return 0x0005;       // GL_TRIANGLE_STRIP
    case ElgQuads: return 0x0007;               // GL_QUADS
    case ElgLinesAdjacency: return 0x000A;      // GL_LINES_ADJACENCY
    case ElgTrianglesAdjacency: return 0x000C;  // GL_TRIANGLES_ADJACENCY
    case ElgIsolines: return 0x8E7A;            // GL_ISOLINES
    default: return 0;
    }
}

static uint32_t gl_spacing(TVertexSpacing spacing) {
    switch (spacing) {
    case EvsFractionalEven: return 0x8E7C;  // GL_FRACTIONAL_EVEN
    case EvsFractionalOdd: return 0x8E7B;   // GL_FRACTIONAL_ODD
    default: return 0x0202;                 // GL_EQUAL, also where nothing is said
    }
}

}  // namespace mgpipe

using namespace mgpipe;

extern "C" {

glsl_program* glsl_program_new(glsl_mode mode) {
    static const bool ready = InitializeProcess();  // for good: what it holds is shared and of constant size
    return ready ? new glsl_program(mode) : nullptr;
}

void glsl_program_free(glsl_program* program) { delete program; }

const char* glsl_program_log(const glsl_program* program) { return program->log.c_str(); }

int glsl_program_add(glsl_program* program, glsl_stage stage, int count, const char* const* strings, const int* lengths,
                     const char* preamble) {
    Source& source = program->sources.emplace_back();
    program->stage = stage;
    for (int i = 0; i < count; i++) {
        source.strings.emplace_back(strings[i], lengths[i]);
        source.labels.push_back(std::to_string(std::max(i - 1, 0)));
    }
    for (int i = 0; i < count; i++) {
        source.pointers.push_back(source.strings[i].data());
        source.lengths.push_back(static_cast<int>(source.strings[i].size()));
        source.label_pointers.push_back(source.labels[i].c_str());
    }
    source.preamble = preamble;
    source.shader = std::make_unique<TShader>(language(stage));
    TShader& shader = *source.shader;
    shader.setStringsWithLengthsAndNames(source.pointers.data(), source.lengths.data(), source.label_pointers.data(),
                                         count);
    shader.setPreamble(source.preamble.c_str());
    if (program->mode == GLSL_SPIRV) {
        shader.setEnvInput(EShSourceGlsl, language(stage), EShClientVulkan, 100);
        shader.setEnvClient(EShClientVulkan, EShTargetVulkan_1_1);
        shader.setEnvTarget(EShTargetSpv, EShTargetSpv_1_3);
        shader.setEnvInputVulkanRulesRelaxed();
        shader.setGlobalUniformBlockName(constants_name(stage));
        shader.setGlobalUniformSet(0);
        shader.setGlobalUniformBinding(stage);
        shader.setAtomicCounterBlockName((std::string(atomics_name) + "_" + std::to_string(stage)).c_str());
        shader.setAtomicCounterBlockSet(2);
    }
    shader.setAutoMapBindings(true);   // without these two the parser demands numbers,
    shader.setAutoMapLocations(true);  // which glsl_program_place gives later
    const bool ok = shader.parse(&limits(), 330, ECoreProfile, false, false, rules(program->mode));
    program->log = shader.getInfoLog();
    if (!ok) program->sources.pop_back();  // the caller may try again with other words
    return ok;
}

int glsl_program_link(glsl_program* program) {
    program->linked = std::make_unique<TProgram>();
    for (const Source& source : program->sources) program->linked->addShader(source.shader.get());
    const bool ok = program->linked->link(rules(program->mode));
    program->log = program->linked->getInfoLog();
    if (!ok) return 0;
    if (program->mode == GLSL_VIEW) {
        describe_facts(*program);
    } else {
        Reached reached;
        if (!lift_opaque_members(*program)) return 0;
        prune(*program, reached);
        describe_interface(*program, reached);
    }
    return 1;
}

const glsl_fact* glsl_program_facts(const glsl_program* program, size_t* count) {
    *count = program->facts.size();
    return program->facts.data();
}

const glsl_item* glsl_program_items(const glsl_program* program, size_t* count) {
    *count = program->items.size();
    return program->items.data();
}

const glsl_leaf* glsl_program_leaves(const glsl_program* program, size_t* count) {
    *count = program->leaves.size();
    return program->leaves.data();
}

void glsl_program_properties(const glsl_program* program, glsl_stage stage, glsl_properties* properties) {
    *properties = {};
    const TIntermediate* tree = program->linked ? program->linked->getIntermediate(language(stage)) : nullptr;
    if (!tree) return;
    properties->input_primitive = gl_primitive(tree->getInputPrimitive());
    properties->output_primitive = gl_primitive(tree->getOutputPrimitive());
    properties->vertices_out = tree->getVertices() == TQualifier::layoutNotSet ? 0 : tree->getVertices();
    properties->invocations = tree->getInvocations() == TQualifier::layoutNotSet ? 1 : tree->getInvocations();
    properties->tess_mode = properties->input_primitive;
    properties->tess_spacing = gl_spacing(tree->getVertexSpacing());
    properties->tess_order = tree->getVertexOrder() == EvoCw ? 0x0900 : 0x0901;  // GL_CW, GL_CCW
    properties->tess_points = tree->getPointMode();
    for (int i = 0; i < 3; i++) properties->local_size[i] = static_cast<int>(tree->getLocalSize(i));
    properties->xfb_layout = tree->getXfbMode();
    properties->origin_upper_left = tree->getOriginUpperLeft();
    properties->pixel_center_integer = tree->getPixelCenterInteger();
    properties->early_fragment_tests = tree->getEarlyFragmentTests();
}

void glsl_program_place(glsl_program* program, size_t item, int set, int binding, int location, int index,
                        uint32_t interpolation) {
    if (item < program->items.size())
        program->placements[program->item_symbols[item]] = {set, binding, location, index, interpolation};
}

const uint32_t* glsl_program_emit(glsl_program* program, size_t* word_count) {
    PoolScope pool;
    TIntermediate* tree = program->intermediate();
    Placer placer(program->placements);
    tree->getTreeRoot()->traverse(&placer);

    SpvOptions options;
    options.disableOptimizer = true;
    spv::SpvBuildLogger logger;
    program->words.clear();
    GlslangToSpv(*tree, program->words, &logger, &options);
    program->log = logger.getAllMessages();
    *word_count = program->words.size();
    return program->words.data();
}

void glsl_version(int* major, int* minor, int* patch) {
    const Version version = GetVersion();
    *major = version.major;
    *minor = version.minor;
    *patch = version.patch;
}

}  // extern "C"
