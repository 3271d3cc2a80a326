// Textures of one dimension and rectangles become 2D ones: GLSL ES has no others.
//
// One dimension: the image is one texel high, its coordinates get a second component in the middle of that. Rectangles:
// coordinates in texels are divided by the size of the image, which has one level; fetches and offsets count texels as
// before.
#include "spirv_module.h"
#include "spirv_rewrite.h"

#include <stdexcept>

namespace mgpipe {

namespace {

class Flattener {
    Module module;
    struct Kind { uint32_t image; bool is_rect, is_array; };
    std::unordered_map<uint32_t, Kind> kinds;           // types that change: images and sampled images
    std::unordered_map<uint32_t, uint32_t> type_of;     // of values
    uint32_t float_type = 0, int_type = 0;
    std::vector<Words> ahead;                           // what goes in before the present instruction

    static bool samples(uint32_t opcode) {
        return (opcode >= spv::OpImageSampleImplicitLod && opcode <= spv::OpImageSampleProjDrefExplicitLod)
            || opcode == spv::OpImageGather || opcode == spv::OpImageDrefGather || opcode == spv::OpImageQueryLod;
    }

    static bool projects(uint32_t opcode) {
        return opcode >= spv::OpImageSampleProjImplicitLod && opcode <= spv::OpImageSampleProjDrefExplicitLod;
    }

    // Where an instruction's image operands are.
    static size_t mask_of(uint32_t opcode) {
        switch (opcode) {
        case spv::OpImageSampleDrefImplicitLod: case spv::OpImageSampleDrefExplicitLod:
        case spv::OpImageSampleProjDrefImplicitLod: case spv::OpImageSampleProjDrefExplicitLod:
        case spv::OpImageGather: case spv::OpImageDrefGather:
            return 6;
        default:
            return 5;
        }
    }

    void collect() {
        for (const Words& line : module.code) {
            if (line[0] == spv::OpTypeImage && (line.at(3) == spv::DimRect || line.at(3) == spv::Dim1D))
                kinds[line.at(1)] = {line.at(1), line.at(3) == spv::DimRect, line.at(5) != 0};
            if (line[0] == spv::OpTypeSampledImage && kinds.count(line.at(2))) kinds[line.at(1)] = kinds[line.at(2)];
            if (line.size() > 2 && module.types.count(line[1]) && line[0] > spv::OpExtension) type_of[line[2]] = line[1];
        }
    }

    const Kind* kind(uint32_t value) const {
        const auto type = type_of.find(value);
        if (type == type_of.end()) return nullptr;
        const auto found = kinds.find(type->second);
        return found == kinds.end() ? nullptr : &found->second;
    }

    uint32_t vector(uint32_t of, uint32_t size) { return module.declare({spv::OpTypeVector, 0, of, size}); }

    uint32_t put(uint32_t opcode, uint32_t type, std::vector<uint32_t> operands) {
        const uint32_t id = module.fresh();
        Words line{opcode, type, id};
        line.insert(line.end(), operands.begin(), operands.end());
        ahead.push_back(std::move(line));
        type_of[id] = type;
        return id;
    }

    uint32_t components(uint32_t value) const {
        const Words& type = module.type(type_of.at(value));
        return type[0] == spv::OpTypeVector ? type.at(3) : 1;
    }

    uint32_t part(uint32_t value, uint32_t index, uint32_t type) {
        return components(value) == 1 ? value : put(spv::OpCompositeExtract, type, {value, index});
    }

    uint32_t component_type(uint32_t value) const {
        const Words& type = module.type(type_of.at(value));
        return type[0] == spv::OpTypeVector ? type.at(2) : type.at(1);
    }

    // `value` with `second` after its first component; `size` components in all.
    uint32_t widened(uint32_t value, uint32_t second, uint32_t size) {
        const uint32_t type = component_type(value), given = components(value);
        std::vector<uint32_t> parts{part(value, 0, type), second};
        for (uint32_t i = 1; i < given && parts.size() < size; i++) parts.push_back(part(value, i, type));
        return put(spv::OpCompositeConstruct, vector(type, static_cast<uint32_t>(parts.size())), parts);
    }

    // -- one dimension

    void widen_sample(Words& line, const Kind& image) {
        const uint32_t half = module.constant(float_type, 0x3f000000);
        uint32_t second = half;
        if (projects(line[0])) {        // divided by the last component, which stays the last
            const uint32_t last = part(line.at(4), components(line[4]) - 1, float_type);
            second = put(spv::OpFMul, float_type, {half, last});
            // GLSL's vec4 forms leave components out between the first and the last.
            if (components(line[4]) > 2) {
                line[4] = put(spv::OpCompositeConstruct, vector(float_type, 3), {part(line[4], 0, float_type), second, last});
                return widen_operands(line);
            }
            line[4] = widened(line[4], second, 3);
            return widen_operands(line);
        }
        line[4] = widened(line.at(4), second, image.is_array && line[0] != spv::OpImageQueryLod ? 3 : 2);
        if (line[0] != spv::OpImageQueryLod) widen_operands(line);
    }

    void widen_operands(Words& line) {
        const size_t mask = mask_of(line[0]);
        if (line.size() <= mask) return;
        size_t at = mask + 1;
        if (line[mask] & spv::ImageOperandsBiasMask) at++;
        if (line[mask] & spv::ImageOperandsLodMask) at++;
        if (line[mask] & spv::ImageOperandsGradMask) {
            const uint32_t zero = module.constant(float_type, 0);
            for (const size_t end = at + 2; at < end; at++) line.at(at) = widened(line.at(at), zero, 2);
        }
        if (line[mask] & spv::ImageOperandsConstOffsetMask) {
            // A constant it has to stay.
            const uint32_t type = component_type(line.at(at));
            const uint32_t zero = module.constant(type, 0), pair = module.fresh();
            module.add_global({spv::OpConstantComposite, vector(type, 2), pair, line[at], zero});
            line[at] = pair;
        }
    }

    uint32_t integer_point(uint32_t value, const Kind& image) {
        return widened(value, module.constant(component_type(value), 0), image.is_array ? 3 : 2);
    }

    // The size of an image that has a height now: without it.
    void narrow_size(Words& line, const Kind& image, std::vector<Words>& behind) {
        const uint32_t result = line[2], type = line[1], wide = module.fresh();
        const uint32_t scalar = image.is_array ? module.type(type).at(2) : type;
        line[1] = vector(scalar, image.is_array ? 3 : 2);
        line[2] = wide;
        if (image.is_array) behind.push_back({spv::OpVectorShuffle, type, result, wide, wide, 0, 2});
        else behind.push_back({spv::OpCompositeExtract, type, result, wide, 0});
    }

    // -- rectangles

    void divide_sample(Words& line, const Kind& image) {
        const uint32_t picture = put(spv::OpImage, image.image, {line.at(3)});
        const uint32_t size = put(spv::OpImageQuerySizeLod, vector(int_type, 2), {picture, module.constant(int_type, 0)});
        const uint32_t real = put(spv::OpConvertSToF, vector(float_type, 2), {size});
        const uint32_t given = components(line.at(4)), type = type_of.at(line[4]);
        uint32_t divisor = real;
        if (given > 2) {        // the divisor of a projection stays
            std::vector<uint32_t> parts{real};
            parts.insert(parts.end(), given - 2, module.constant(float_type, 0x3f800000));
            divisor = put(spv::OpCompositeConstruct, type, parts);
        }
        line[4] = put(spv::OpFDiv, type, {line[4], divisor});
        const size_t mask = mask_of(line[0]);
        if (line[0] == spv::OpImageQueryLod || line.size() <= mask || !(line[mask] & spv::ImageOperandsGradMask)) return;
        size_t at = mask + 1;
        if (line[mask] & spv::ImageOperandsBiasMask) at++;
        if (line[mask] & spv::ImageOperandsLodMask) at++;
        for (const size_t end = at + 2; at < end; at++)
            line.at(at) = put(spv::OpFDiv, vector(float_type, 2), {line.at(at), real});
    }

    // -- all of it

    void change(Words& line, std::vector<Words>& behind) {
        const Kind* image = line.size() > 3 ? kind(line[3]) : nullptr;
        switch (line[0]) {
        case spv::OpTypeImage:
            if (kinds.count(line.at(1))) line[3] = spv::Dim2D;
            return;
        case spv::OpImageFetch: case spv::OpImageRead:
            if (!image || image->is_rect) return;
            line[4] = integer_point(line.at(4), *image);
            if (line[0] == spv::OpImageFetch) widen_operands(line);
            return;
        case spv::OpImageWrite:
            image = kind(line.at(1));
            if (image && !image->is_rect) line[2] = integer_point(line.at(2), *image);
            return;
        case spv::OpImageTexelPointer: {
            const uint32_t pointer = type_of.at(line.at(3));
            const auto found = kinds.find(module.type(pointer).at(3));
            if (found != kinds.end() && !found->second.is_rect) line[4] = integer_point(line.at(4), found->second);
            return;
        }
        case spv::OpImageQuerySize: case spv::OpImageQuerySizeLod:
            if (!image) return;
            if (image->is_rect) {
                // A storage image has no levels to choose from.
                if (module.type(image->image).at(7) != 2)
                    line = {spv::OpImageQuerySizeLod, line[1], line[2], line[3], module.constant(int_type, 0)};
                return;
            }
            return narrow_size(line, *image, behind);
        default:
            if (!image || !samples(line[0])) return;
            image->is_rect ? divide_sample(line, *image) : widen_sample(line, *image);
        }
    }

public:
    explicit Flattener(const std::vector<uint32_t>& words) : module(words) {}

    std::vector<uint32_t> run() {
        collect();
        if (kinds.empty()) return {};
        int_type = module.declare({spv::OpTypeInt, 0, 32, 1});
        float_type = module.declare({spv::OpTypeFloat, 0, 32});
        for (size_t i = 0; i < module.code.size(); i++) {
            Words line = module.code[i];        // a copy: declaring a type moves the instructions
            std::vector<Words> behind;
            const size_t before = module.code.size();
            ahead.clear();
            change(line, behind);
            i += module.code.size() - before;   // declarations go in above
            module.code[i] = std::move(line);
            module.code.insert(module.code.begin() + i, ahead.begin(), ahead.end());
            i += ahead.size();
            module.code.insert(module.code.begin() + i + 1, behind.begin(), behind.end());
            i += behind.size();
        }
        return module.words();
    }
};

}  // namespace

void flatten_textures(std::vector<uint32_t>& words) {
    std::vector<uint32_t> result = Flattener(words).run();
    if (!result.empty()) words = std::move(result);
}

}  // namespace mgpipe
