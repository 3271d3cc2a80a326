// Stages that OpenGL does not need and GLSL ES does: tessellation control where only evaluation is there, and geometry
// stages that stand in for rasterizer state which ES lacks (polygon mode, the provoking vertex).
#include "spirv_es.h"
#include "spirv_rewrite.h"

#include <sstream>
#include <stdexcept>

namespace mgpipe {

using namespace spirv_cross;

namespace {

struct Passed { std::string declaration, name, array; bool is_flat; std::string block; };

// What the stage before writes, one entry a variable or member of a block.
class Interface {
    EsCompiler compiler;
    bool per_vertex_arrays;     // the stage before is a tessellation control stage
    std::ostringstream declared_in, declared_out;

    std::string qualifiers(const Bitset& flags) const {
        std::string text;
        if (flags.get(spv::DecorationFlat)) text += "flat ";
        if (flags.get(spv::DecorationNoPerspective)) text += "noperspective ";
        if (flags.get(spv::DecorationCentroid)) text += "centroid ";
        if (flags.get(spv::DecorationSample)) text += "sample ";
        return text;
    }

    std::string plain(const SPIRType& type) {
        if (type.basetype == SPIRType::Struct)
            throw std::invalid_argument("structures between stages, with a stage in between that OpenGL ES needs");
        SPIRType element = type;
        element.array.clear();
        element.array_size_literal.clear();
        return compiler.type_to_glsl(element);
    }

    std::string array(const SPIRType& type) const {
        std::string text;
        for (size_t i = type.array.size(); i--;) text += "[" + std::to_string(type.array[i]) + "]";
        return text;
    }

    void declare(const std::string& layout, const std::string& interpolation, const std::string& type,
                 const std::string& name, const std::string& array) {
        declared_in << layout << interpolation << "in " << type << " " << name << "_in[]" << array << ";\n";
    }

public:
    std::vector<Passed> passed;
    bool position = false;
    uint32_t clip_distances = 0;
    bool noperspective = false;

    Interface(std::vector<uint32_t> words, spv::ExecutionModel model)
        : compiler(std::move(words), model, specialise_options{}) {
        compiler.update_active_builtins();
        const ShaderResources resources = compiler.get_shader_resources();
        for (const Resource& output : resources.stage_outputs) add(output);
        for (const BuiltInResource& builtin : resources.builtin_outputs)
            if (builtin.builtin == spv::BuiltInClipDistance
                && compiler.has_active_builtin(spv::BuiltInClipDistance, spv::StorageClassOutput))
                clip_distances = compiler.get_type(builtin.value_type_id).array[0];
    }

    void add(const Resource& output) {
        const SPIRType& type = compiler.get_type(output.type_id);
        const SPIRType& base = compiler.get_type(output.base_type_id);
        const Bitset& flags = compiler.get_decoration_bitset(output.id);
        const uint32_t location = compiler.get_decoration(output.id, spv::DecorationLocation);
        if (flags.get(spv::DecorationPatch)) return;
        const std::string name = "mgpipe_" + std::to_string(passed.size());
        if (base.basetype == SPIRType::Struct && compiler.has_decoration(base.self, spv::DecorationBlock))
            return add_block(output, base, location, name);
        const std::string layout = "layout(location = " + std::to_string(location) + ") ";
        declared_in << layout << qualifiers(flags) << "in " << plain(type) << " " << name << "_in[]" << array(type) << ";\n";
        declared_out << layout << qualifiers(flags) << "out " << plain(type) << " " << name << "_out@" << array(type)
                     << ";\n";
        passed.push_back({"", name, "", flags.get(spv::DecorationFlat), ""});
        noperspective = noperspective || flags.get(spv::DecorationNoPerspective);
    }

    void add_block(const Resource& output, const SPIRType& block, uint32_t location, const std::string& name) {
        std::ostringstream members;
        for (uint32_t i = 0; i < block.member_types.size(); i++) {
            const SPIRType& type = compiler.get_type(block.member_types[i]);
            const Bitset& flags = compiler.get_member_decoration_bitset(block.self, i);
            const std::string member = compiler.get_member_name(block.self, i);
            if (compiler.has_member_decoration(block.self, i, spv::DecorationLocation))
                members << "    layout(location = "
                        << compiler.get_member_decoration(block.self, i, spv::DecorationLocation) << ") ";
            members << qualifiers(flags) << plain(type) << " " << member << array(type) << ";\n";
            passed.push_back({"", name, "", flags.get(spv::DecorationFlat), member});
            noperspective = noperspective || flags.get(spv::DecorationNoPerspective);
        }
        const std::string layout = compiler.has_decoration(output.id, spv::DecorationLocation)
                                 ? "layout(location = " + std::to_string(location) + ") " : "";
        const std::string title = compiler.get_name(block.self);
        declared_in << layout << "in " << title << " {\n" << members.str() << "} " << name << "_in[];\n";
        declared_out << layout << "out " << title << " {\n" << members.str() << "} " << name << "_out@;\n";
    }

    // `per_vertex`: what stands behind the name of an output.
    std::string declarations(const std::string& per_vertex) const {
        std::string out = declared_out.str();
        for (size_t at; (at = out.find('@')) != std::string::npos;) out.replace(at, 1, per_vertex);
        return declared_in.str() + out;
    }

    // Copies of everything from vertex `from`, of flat values from `flat_from`.
    std::string copies(const std::string& from, const std::string& flat_from, const std::string& to) const {
        std::ostringstream text;
        for (const Passed& each : passed) {
            const std::string member = each.block.empty() ? "" : "." + each.block;
            text << "    " << each.name << "_out" << to << member << " = " << each.name << "_in["
                 << (each.is_flat ? flat_from : from) << "]" << member << ";\n";
        }
        return text.str();
    }
};

std::string extensions(const Interface& interface) {
    std::string text = "#version 320 es\n";
    if (interface.clip_distances) text += "#extension GL_EXT_clip_cull_distance : require\n";
    if (interface.noperspective) text += "#extension GL_NV_shader_noperspective_interpolation : require\n";
    return text;
}

std::string tess_control(const Interface& interface, const generate_options& options) {
    if (options.patch_vertices < 1 || options.patch_vertices > 32) throw std::invalid_argument("a patch of no size");
    std::ostringstream text;
    text << extensions(interface) << "precision highp float;\nprecision highp int;\n"
         << "layout(vertices = " << options.patch_vertices << ") out;\n"
         << "uniform highp vec4 mgpipe_outer;\nuniform highp vec2 mgpipe_inner;\n" << interface.declarations("[]")
         << "void main()\n{\n" << interface.copies("gl_InvocationID", "gl_InvocationID", "[gl_InvocationID]")
         << "    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;\n";
    if (interface.clip_distances)
        text << "    gl_out[gl_InvocationID].gl_ClipDistance = gl_in[gl_InvocationID].gl_ClipDistance;\n";
    text << "    for (int i = 0; i < 4; i++) gl_TessLevelOuter[i] = mgpipe_outer[i];\n"
         << "    for (int i = 0; i < 2; i++) gl_TessLevelInner[i] = mgpipe_inner[i];\n}\n";
    return text.str();
}

std::string geometry(const Interface& interface, const generate_options& options) {
    const char* const taken[2][4] = {{"", "points", "lines", "triangles"},
                                     {"", "points", "lines_adjacency", "triangles_adjacency"}};
    const char* const given[4] = {"", "points", "line_strip", "triangle_strip"};
    const uint32_t corners = options.corners, shown = options.shown_as;
    if (corners < 1 || corners > 3 || shown < 1 || shown > corners) throw std::invalid_argument("primitives of no kind");
    const bool adjacent = options.adjacency && corners > 1;
    // The vertices of the primitive itself, among adjacent ones.
    const auto vertex = [&](uint32_t i) { return adjacent ? (corners == 2 ? i + 1 : 2 * i) : i; };
    std::string provoking = std::to_string(vertex(options.first_provokes ? corners == 3 && options.fan : corners - 1));
    if (options.first_provokes && options.strip && corners == 3)
        provoking = "(gl_PrimitiveIDIn & 1) * " + std::to_string(vertex(1));
    const bool closed = corners == 3 && shown == 2;     // an outline ends where it began
    std::ostringstream text;
    text << extensions(interface);
    if (options.point_size && shown == 1) text << "#extension GL_EXT_geometry_point_size : require\n";
    text << "precision highp float;\nprecision highp int;\nlayout(" << taken[adjacent][corners] << ") in;\n"
         << "layout(" << given[shown] << ", max_vertices = " << corners + closed << ") out;\n"
         << interface.declarations("");
    if (options.point_size && shown == 1) text << "uniform highp float mgpipe_point_size;\n";
    text << "void mgpipe_vertex(int i)\n{\n" << interface.copies("i", provoking, "")
         << "    gl_Position = gl_in[i].gl_Position;\n";
    if (interface.clip_distances)
        for (uint32_t i = 0; i < interface.clip_distances; i++)
            text << "    gl_ClipDistance[" << i << "] = gl_in[i].gl_ClipDistance[" << i << "];\n";
    if (options.point_size && shown == 1) text << "    gl_PointSize = mgpipe_point_size;\n";
    text << "    gl_PrimitiveID = gl_PrimitiveIDIn;\n    EmitVertex();\n}\nvoid main()\n{\n";
    if (options.cull_clockwise || options.cull_counter) {
        // The sign of the triangle's area, also where a vertex lies behind the eye.
        text << "    float area = determinant(mat3(gl_in[" << vertex(0) << "].gl_Position.xyw, gl_in[" << vertex(1)
             << "].gl_Position.xyw, gl_in[" << vertex(2) << "].gl_Position.xyw));\n";
        if (options.cull_clockwise) text << "    if (area < 0.0) return;\n";
        if (options.cull_counter) text << "    if (area > 0.0) return;\n";
    }
    for (uint32_t i = 0; i < corners; i++) text << "    mgpipe_vertex(" << vertex(i) << ");\n";
    if (closed) text << "    mgpipe_vertex(" << vertex(0) << ");\n";
    text << "    EndPrimitive();\n}\n";
    return text.str();
}

}  // namespace

std::string between_text(std::vector<uint32_t> words, spv::ExecutionModel model_before, const generate_options& options) {
    const Interface interface(std::move(words), model_before);
    if (options.stage == GENERATED_TESS_CONTROL) return tess_control(interface, options);
    if (options.stage == GENERATED_GEOMETRY) return geometry(interface, options);
    throw std::invalid_argument("no such generated stage");
}

}  // namespace mgpipe
