// Rectangle textures become 2D ones: GLSL ES has no others. Coordinates in texels are divided by the size of the image,
// which has one level; fetches and offsets count texels as before.
#include "spirv_module.h"
#include "spirv_rewrite.h"

#include <stdexcept>

namespace mgpipe {

namespace {

constexpr uint32_t rect = spv::DimRect, flat = spv::Dim2D;

class Flattener {
    Module module;
    std::unordered_map<uint32_t, uint32_t> rects;       // images and sampled images that were rectangles, to the image's
    std::unordered_map<uint32_t, uint32_t> type_of;     // of values
    uint32_t float_type = 0, int_type = 0;

    static bool samples(uint32_t opcode) {
        return (opcode >= spv::OpImageSampleImplicitLod && opcode <= spv::OpImageSampleProjDrefExplicitLod)
            || opcode == spv::OpImageGather || opcode == spv::OpImageDrefGather;
    }

    void collect() {
        for (const Words& line : module.code) {
            if (line[0] == spv::OpTypeImage && line.at(3) == rect) rects[line.at(1)] = line.at(1);
            if (line[0] == spv::OpTypeSampledImage && rects.count(line.at(2))) rects[line.at(1)] = line.at(2);
            if (line.size() > 2 && module.types.count(line[1]) && line[0] > spv::OpExtension) type_of[line[2]] = line[1];
        }
    }

    uint32_t vector(uint32_t of, uint32_t size) { return module.declare({spv::OpTypeVector, 0, of, size}); }

    // The coordinate divided by the image's size, for `line`, which samples.
    void scale(Words& line, std::vector<Words>& out) {
        const uint32_t image_type = rects.at(type_of.at(line.at(3)));
        const uint32_t coordinate = line.at(4), coordinate_type = type_of.at(coordinate);
        const uint32_t components = module.type(coordinate_type).at(3);
        const uint32_t image = module.fresh(), size = module.fresh(), real = module.fresh(), scaled = module.fresh();
        out.push_back({spv::OpImage, image_type, image, line.at(3)});
        out.push_back({spv::OpImageQuerySizeLod, vector(int_type, 2), size, image, module.constant(int_type, 0)});
        out.push_back({spv::OpConvertSToF, vector(float_type, 2), real, size});
        uint32_t divisor = real;
        if (components > 2) {       // the depth to compare with, the divisor of a projection
            const uint32_t one = module.constant(float_type, 0x3f800000);
            divisor = module.fresh();
            Words whole{spv::OpCompositeConstruct, coordinate_type, divisor, real};
            whole.insert(whole.end(), components - 2, one);
            out.push_back(std::move(whole));
        }
        out.push_back({spv::OpFDiv, coordinate_type, scaled, coordinate, divisor});
        line[4] = scaled;
        scale_gradients(line, real, out);
    }

    void scale_gradients(Words& line, uint32_t size, std::vector<Words>& out) {
        const bool compares = line[0] == spv::OpImageSampleDrefExplicitLod || line[0] == spv::OpImageSampleProjDrefExplicitLod
                           || line[0] == spv::OpImageSampleDrefImplicitLod || line[0] == spv::OpImageSampleProjDrefImplicitLod
                           || line[0] == spv::OpImageGather || line[0] == spv::OpImageDrefGather;
        const size_t mask = compares ? 6 : 5;
        if (line.size() <= mask || !(line[mask] & spv::ImageOperandsGradMask)) return;
        size_t at = mask + 1;
        if (line[mask] & spv::ImageOperandsBiasMask) at++;
        if (line[mask] & spv::ImageOperandsLodMask) at++;
        for (size_t i = at; i < at + 2; i++) {
            const uint32_t scaled = module.fresh();
            out.push_back({spv::OpFDiv, vector(float_type, 2), scaled, line.at(i), size});
            line[i] = scaled;
        }
    }

public:
    explicit Flattener(const std::vector<uint32_t>& words) : module(words) {}

    std::vector<uint32_t> run() {
        collect();
        if (rects.empty()) return {};
        int_type = module.declare({spv::OpTypeInt, 0, 32, 1});
        float_type = module.declare({spv::OpTypeFloat, 0, 32});
        for (size_t i = 0; i < module.code.size(); i++) {
            // A copy: declaring a type moves the instructions.
            Words line = module.code[i];
            if (line[0] == spv::OpTypeImage && line.at(3) == rect) {
                if (line.at(7) == 2) throw std::invalid_argument("rectangle images on OpenGL ES");
                module.code[i][3] = flat;
            } else if (line[0] == spv::OpImageQuerySize && rects.count(type_of.at(line.at(3)))) {
                const size_t before = module.code.size();
                const uint32_t zero = module.constant(int_type, 0);
                i += module.code.size() - before;
                module.code[i] = {spv::OpImageQuerySizeLod, line[1], line.at(2), line[3], zero};
            } else if (samples(line[0]) && rects.count(type_of.at(line.at(3)))) {
                const size_t before = module.code.size();
                std::vector<Words> ahead;
                scale(line, ahead);
                i += module.code.size() - before;       // declarations went in above
                module.code[i] = std::move(line);
                module.code.insert(module.code.begin() + i, ahead.begin(), ahead.end());
                i += ahead.size();
            }
        }
        return module.words();
    }
};

}  // namespace

void flatten_rectangles(std::vector<uint32_t>& words) {
    std::vector<uint32_t> result = Flattener(words).run();
    if (!result.empty()) words = std::move(result);
}

}  // namespace mgpipe
