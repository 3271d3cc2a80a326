// Lists what a linked stage shows to the outside: inputs, outputs, blocks, samplers, images.
#include "glslang_program.h"

#include <algorithm>
#include <map>

using namespace glslang;

namespace mgpipe {

namespace {

enum class Unit { bytes, elements, locations };  // of glsl_leaf::offset

struct Lister {
    glsl_program& program;
    const EShLanguage stage = language(program.stage);
    bool first_elements = false;  // of a block's arrays of aggregates only the first element is listed: storage blocks
    int top_array_size = 1, top_array_stride = 0;

    void leaf(const TType& type, std::string name, Unit unit, int offset, TLayoutPacking packing, bool row_major) {
        glsl_leaf out{};
        out.name = program.keep(std::move(name));
        out.gl_type = gl_type(type);
        out.is_array = type.isArray();
        out.array_size = type.isArray() ? type.getOuterArraySize() : 1;
        out.offset = offset;
        out.row_major = type.isMatrix() && row_major;
        out.top_array_size = top_array_size;
        out.top_array_stride = top_array_stride;
        if (unit == Unit::bytes) {
            int size, stride;
            if (type.isArray()) {
                TIntermediate::getMemberAlignment(type, size, stride, packing, row_major);
                out.array_stride = stride;
            }
            if (type.isMatrix()) {
                const TType element(type, 0);
                TIntermediate::getMemberAlignment(type.isArray() ? element : type, size, stride, packing, row_major);
                out.matrix_stride = stride;
            }
        }
        program.leaves.push_back(out);
    }

    int step(const TType& type, Unit unit, TLayoutPacking packing, bool row_major) {
        if (unit == Unit::locations) return TIntermediate::computeTypeLocationSize(type, stage);
        if (unit == Unit::elements) return type.isArray() ? type.getCumulativeArraySize() : 1;
        int size, stride;
        const int alignment = TIntermediate::getMemberAlignment(type, size, stride, packing, row_major);
        return (size + alignment - 1) / alignment * alignment;
    }

    void members(const TType& type, const std::string& prefix, Unit unit, int offset, TLayoutPacking packing,
                 bool row_major) {
        int end = 0;
        for (const TTypeLoc& field : *type.getStruct()) {
            const TType& member = *field.type;
            const bool member_rows = member_row_major(member, row_major);
            int at = end;
            if (unit == Unit::bytes) {
                at = next_member_offset(member, packing, member_rows, end);
                if (type.getBasicType() == EbtBlock && member.getQualifier().hasOffset())
                    at = member.getQualifier().layoutOffset;
            } else {
                end += step(member, unit, packing, member_rows);
            }
            const std::string name = prefix + member.getFieldName().c_str();
            if (first_elements && type.getBasicType() == EbtBlock && member.isArray()
                && (member.isStruct() || member.isArrayOfArrays()))
                top_array(member, name, offset + at, packing, member_rows);
            else
                walk(member, name, unit, offset + at, packing, member_rows);
        }
    }

    // "For an active shader storage block member declared as an array of an aggregate type, an entry will be generated
    // only for the first array element" (OpenGL 4.6, 7.3.1.1).
    void top_array(const TType& member, const std::string& name, int offset, TLayoutPacking packing, bool row_major) {
        int size;
        TIntermediate::getMemberAlignment(member, size, top_array_stride, packing, row_major);
        top_array_size = member.isUnsizedArray() ? 0 : member.getOuterArraySize();
        const TType element(member, 0);
        walk(element, name + "[0]", Unit::bytes, offset, packing, row_major);
        top_array_size = 1;
        top_array_stride = 0;
    }

    // Down to scalars, vectors, matrices, opaque types and one-dimensional arrays of those.
    void walk(const TType& type, const std::string& name, Unit unit, int offset, TLayoutPacking packing,
              bool row_major) {
        if (type.isArray() && (type.isStruct() || type.isArrayOfArrays())) {
            const TType element(type, 0);
            int stride = step(element, unit, packing, row_major);
            if (unit == Unit::bytes) {
                int size;
                TIntermediate::getMemberAlignment(type, size, stride, packing, row_major);
            }
            // GL lists one element of an open array of structures.
            const int count = type.isUnsizedArray() ? 1 : type.getOuterArraySize();
            for (int i = 0; i < count; i++)
                walk(element, name + "[" + std::to_string(i) + "]", unit, offset + i * stride, packing, row_major);
        } else if (type.isStruct()) {
            members(type, name + ".", unit, offset, packing, row_major);
        } else {
            leaf(type, name, unit, offset, packing, row_major);
        }
    }

    // Samplers and images. "m[].map" is what glslang_lift.cpp makes of a member of an array of structures: listed as "m[0].map" …
    void opaque(const TType& type, const std::string& name, int offset) {
        const size_t at = name.find("[]");
        if (at == std::string::npos) return walk(type, name, Unit::elements, offset, ElpNone, false);
        const TType element(type, 0);
        const int slots = step(element, Unit::elements, ElpNone, false);
        for (int i = 0; i < type.getOuterArraySize(); i++)
            opaque(element, name.substr(0, at + 1) + std::to_string(i) + name.substr(at + 1), offset + i * slots);
    }
};

bool is_builtin(const TIntermSymbol& symbol) { return symbol.getAccessName().compare(0, 3, "gl_") == 0; }

// The built-in inputs that GL lists as inputs without location; other built-ins are nobody's business.
const char* gl_attribute_name(const TIntermSymbol& symbol, glsl_stage stage) {
    if (stage == GLSL_COMPUTE) {
        switch (symbol.getType().getQualifier().builtIn) {
        case EbvNumWorkGroups: return "gl_NumWorkGroups";
        case EbvWorkGroupId: return "gl_WorkGroupID";
        case EbvLocalInvocationId: return "gl_LocalInvocationID";
        case EbvGlobalInvocationId: return "gl_GlobalInvocationID";
        case EbvLocalInvocationIndex: return "gl_LocalInvocationIndex";
        default: return nullptr;
        }
    }
    if (stage != GLSL_VERTEX) return nullptr;
    switch (symbol.getType().getQualifier().builtIn) {
    case EbvVertexId: case EbvVertexIndex: return "gl_VertexID";
    case EbvInstanceId: case EbvInstanceIndex: return "gl_InstanceID";
    default: return nullptr;
    }
}

int kind_of(const TIntermSymbol& symbol, glsl_stage stage) {
    const TType& type = symbol.getType();
    const TStorageQualifier storage = type.getQualifier().storage;
    if (is_constants(type, stage)) return GLSL_CONSTANTS;
    if (type.getBasicType() == EbtBlock && storage == EvqUniform) return GLSL_UNIFORM_BLOCK;
    if (type.getBasicType() == EbtBlock && storage == EvqBuffer) return GLSL_STORAGE_BLOCK;
    if (type.getBasicType() == EbtSampler && storage == EvqUniform) return type.isImage() ? GLSL_IMAGE : GLSL_SAMPLER;
    if (storage == EvqFragColor) return GLSL_OUTPUT;  // gl_FragColor, gl_FragData
    if (is_builtin(symbol)) return gl_attribute_name(symbol, stage) ? GLSL_INPUT : -1;
    if (storage == EvqVaryingIn) return GLSL_INPUT;
    if (storage == EvqVaryingOut) return GLSL_OUTPUT;
    return -1;
}

// `read`: all of it is readonly; else writeonly. A qualifier of the block, or of every member.
bool restricted(const TType& type, bool read) {
    const auto is = [read](const TQualifier& qualifier) { return read ? qualifier.readonly : qualifier.writeonly; };
    if (is(type.getQualifier())) return true;
    if (type.getBasicType() != EbtBlock) return false;
    for (const TTypeLoc& member : *type.getStruct())
        if (!is(member.type->getQualifier())) return false;
    return true;
}

// Up to the end of the last member; glslang's own getBlockSize takes that one's matrix layout from the block.
int block_size(const TType& block) {
    int end = 0, largest = 0;
    for (const TTypeLoc& field : *block.getStruct()) {
        const TType& member = *field.type;
        if (member.getQualifier().hasOffset()) end = member.getQualifier().layoutOffset;
        next_member_offset(member, packing_of(block), member_row_major(member, block.getQualifier().layoutMatrix == ElmRowMajor),
                           end);
        largest = std::max(largest, end);
    }
    return largest;
}

void list(glsl_program& program, const TIntermSymbol& symbol) {
    const int kind = kind_of(symbol, program.stage);
    if (kind < 0) return;
    Lister lister{program};
    const TQualifier& qualifier = symbol.getType().getQualifier();
    const char* const attribute = gl_attribute_name(symbol, program.stage);
    const std::string name = attribute ? attribute : symbol.getAccessName().c_str();

    glsl_item item{};
    item.name = program.keep(name);
    item.kind = kind;
    item.location = qualifier.hasLocation() ? static_cast<int>(qualifier.layoutLocation) : -1;
    item.component = qualifier.hasComponent() ? static_cast<int>(qualifier.layoutComponent) : -1;
    item.index = qualifier.hasIndex() ? static_cast<int>(qualifier.layoutIndex) : -1;
    item.binding = qualifier.hasBinding() ? static_cast<int>(qualifier.layoutBinding) : -1;
    item.interpolation = (qualifier.flat ? GLSL_FLAT : 0) | (qualifier.nopersp ? GLSL_NOPERSPECTIVE : 0)
                       | (qualifier.centroid ? GLSL_CENTROID : 0) | (qualifier.sample ? GLSL_SAMPLE : 0);
    item.is_patch = qualifier.patch;
    item.is_builtin = is_builtin(symbol);
    if (kind == GLSL_STORAGE_BLOCK || kind == GLSL_IMAGE) {
        item.is_readonly = restricted(symbol.getType(), true);
        item.is_writeonly = restricted(symbol.getType(), false);
    }
    item.array_size = 1;
    item.slots = 1;
    item.first_leaf = static_cast<uint32_t>(program.leaves.size());

    const bool arrayed = (kind == GLSL_INPUT || kind == GLSL_OUTPUT) && qualifier.isArrayedIo(lister.stage);
    const bool array_of_blocks = kind <= GLSL_STORAGE_BLOCK && kind >= GLSL_CONSTANTS && symbol.getType().isArray();
    const TType element(symbol.getType(), 0);
    const TType& type = arrayed && symbol.getType().isArray() ? element : symbol.getType();

    switch (kind) {
    case GLSL_INPUT:
    case GLSL_OUTPUT:
        item.slots = TIntermediate::computeTypeLocationSize(type, lister.stage);
        item.is_array = type.isArray();
        item.has_instance_name = !IsAnonymous(symbol.getName());
        if (qualifier.storage == EvqFragColor) item.location = 0;
        lister.walk(type, name, Unit::locations, 0, ElpNone, false);
        break;
    case GLSL_SAMPLER:
    case GLSL_IMAGE:
        item.is_array = type.isArray();
        item.slots = item.array_size = type.isArray() ? type.getCumulativeArraySize() : 1;
        lister.opaque(type, name, 0);
        break;
    default: {
        item.is_array = type.isArray();
        item.slots = item.array_size = type.isArray() ? type.getCumulativeArraySize() : 1;
        if (const TArraySizes* sizes = type.getArraySizes())
            for (int i = 0; i < sizes->getNumDims() && i < 8; i++)
                item.dimensions[item.dimension_count++] = sizes->getDimSize(i);
        item.has_instance_name = kind != GLSL_CONSTANTS && !IsAnonymous(symbol.getName());
        TType block;
        block.shallowCopy(type);
        if (array_of_blocks) block.clearArraySizes();
        item.size_bytes = block_size(block);
        lister.first_elements = kind == GLSL_STORAGE_BLOCK;
        lister.members(block, item.has_instance_name ? name + "." : "", Unit::bytes, 0, packing_of(block),
                       block.getQualifier().layoutMatrix == ElmRowMajor);
    }
    }
    item.leaf_count = static_cast<uint32_t>(program.leaves.size()) - item.first_leaf;
    program.items.push_back(item);
    program.item_symbols.push_back(symbol.getId());
}

double number(const TConstUnion& value) {
    switch (value.getType()) {
    case EbtInt: return value.getIConst();
    case EbtUint: return value.getUConst();
    case EbtBool: return value.getBConst();
    default: return value.getDConst();
    }
}

}  // namespace

void describe_interface(glsl_program& program, const Reached& reached) {
    if (const TIntermAggregate* linkers = program.intermediate()->findLinkerObjects())
        for (TIntermNode* node : linkers->getSequence())
            if (!is_builtin(*node->getAsSymbolNode())) list(program, *node->getAsSymbolNode());
    for (const TIntermSymbol* symbol : reached.order)  // built-ins are declared by nobody: they show by use
        if (is_builtin(*symbol)) list(program, *symbol);
}

void describe_facts(glsl_program& program) {
    std::map<std::string, size_t> known;
    for (int stage = 0; stage < GLSL_STAGES; stage++) {
        const TIntermediate* tree = program.linked->getIntermediate(language(static_cast<glsl_stage>(stage)));
        const TIntermAggregate* linkers = tree && tree->getTreeRoot() ? tree->findLinkerObjects() : nullptr;
        if (!linkers) continue;
        for (TIntermNode* node : linkers->getSequence()) {
            const TIntermSymbol& symbol = *node->getAsSymbolNode();
            const TQualifier& qualifier = symbol.getType().getQualifier();
            if (qualifier.storage != EvqUniform && qualifier.storage != EvqBuffer) continue;
            const std::string name = symbol.getAccessName().c_str();
            const auto [place, is_new] = known.emplace(name, program.facts.size());
            if (is_new) program.facts.push_back({program.keep(name), -1, -1, -1, nullptr, 0});
            glsl_fact& fact = program.facts[place->second];
            if (qualifier.hasLocation()) fact.location = static_cast<int>(qualifier.layoutLocation);
            if (qualifier.hasOffset()) fact.offset = qualifier.layoutOffset;
            if (qualifier.hasBinding()) fact.binding = static_cast<int>(qualifier.layoutBinding);
            const TConstUnionArray& initialiser = symbol.getConstArray();
            if (initialiser.empty() || fact.values) continue;
            std::vector<double>& values = program.values.emplace_back();
            for (int i = 0; i < initialiser.size(); i++) values.push_back(number(initialiser[i]));
            fact.values = values.data();
            fact.count = values.size();
        }
    }
}

}  // namespace mgpipe
