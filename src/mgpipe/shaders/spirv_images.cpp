// GLSL ES lets a shader only read or only write an image, unless its texels are one component of 32 bits. An image of
// another format that is both read and written becomes two at one image unit: one for loads, one for stores.
#include "spirv_module.h"
#include "spirv_rewrite.h"

#include <stdexcept>
#include <unordered_set>

namespace mgpipe {

namespace {

class Splitter {
    Module module;
    std::unordered_map<uint32_t, uint32_t> root;            // what a pointer or a loaded image comes from: a variable
    std::unordered_map<uint32_t, size_t> line_of;           // of results, within the code
    std::unordered_set<uint32_t> read, written;             // variables

    static bool may_do_both(uint32_t format) {
        return format == spv::ImageFormatR32f || format == spv::ImageFormatR32i || format == spv::ImageFormatR32ui;
    }

    // The image type behind a variable's type; null: it is no storage image.
    const Words* image(uint32_t pointer) const {
        uint32_t type = module.type(pointer).at(3);
        while (module.type(type)[0] == spv::OpTypeArray) type = module.type(type).at(2);
        const Words& words = module.type(type);
        return words[0] == spv::OpTypeImage && words.at(7) == 2 ? &words : nullptr;
    }

    void collect() {
        for (size_t i = 0; i < module.code.size(); i++) {
            const Words& line = module.code[i];
            switch (line[0]) {
            case spv::OpVariable:
                if (line.at(3) == spv::StorageClassUniformConstant && image(line[1]) && !may_do_both(image(line[1])->at(8)))
                    root[line.at(2)] = line[2];
                break;
            case spv::OpAccessChain: case spv::OpInBoundsAccessChain: case spv::OpLoad: case spv::OpCopyObject:
                if (root.count(line.at(3))) root[line.at(2)] = root[line[3]];
                break;
            case spv::OpImageRead:
                if (root.count(line.at(3))) read.insert(root[line[3]]);
                break;
            case spv::OpImageWrite:
                if (root.count(line.at(1))) written.insert(root[line[1]]);
                break;
            case spv::OpFunctionCall:
                for (size_t k = 4; k < line.size(); k++)
                    if (root.count(line[k])) throw std::invalid_argument(
                        "an image as a function's argument, of a format that OpenGL ES only reads or only writes");
                break;
            }
            if (line.size() > 2 && module.types.count(line[1])) line_of[line[2]] = i;
        }
    }

    void decorate_as(uint32_t twin, uint32_t variable) {
        std::vector<Words> copies;
        for (Words& line : module.code) {
            if (line[0] != spv::OpDecorate || line.at(1) != variable) continue;
            if (line.at(2) == spv::DecorationRestrict) line = {spv::OpNop};     // they alias each other now
            else {
                copies.push_back(line);
                copies.back()[1] = twin;
            }
        }
        for (Words& line : copies) module.add_annotation(std::move(line));
    }

    // What is stored to through `id`, taken from `twin` instead: the loads and chains that lead there, once more.
    uint32_t led_from(uint32_t id, uint32_t variable, uint32_t twin, std::vector<Words>& out) {
        if (id == variable) return twin;
        Words line = module.code[line_of.at(id)];
        line[3] = led_from(line.at(3), variable, twin, out);
        line[2] = module.fresh();
        out.push_back(line);
        return line[2];
    }

public:
    explicit Splitter(const std::vector<uint32_t>& words) : module(words) {}

    std::vector<uint32_t> run() {
        collect();
        std::unordered_map<uint32_t, uint32_t> twins;
        for (const uint32_t variable : read)
            if (written.count(variable)) twins[variable] = module.fresh();
        if (twins.empty()) return {};
        for (size_t i = module.code.size(); i--;) {         // from the end: line_of stays right above
            if (module.code[i][0] != spv::OpImageWrite) continue;
            const auto from = root.find(module.code[i].at(1));
            if (from == root.end() || !twins.count(from->second)) continue;
            std::vector<Words> ahead;
            module.code[i][1] = led_from(module.code[i][1], from->second, twins[from->second], ahead);
            module.code.insert(module.code.begin() + i, ahead.begin(), ahead.end());
        }
        for (const auto& [variable, twin] : twins) {
            const Words line = module.code[line_of.at(variable)];
            module.add_global({spv::OpVariable, line[1], twin, line.at(3)});
        }
        for (const auto& [variable, twin] : twins) {
            // A load has to see what the same invocation stored through the other one.
            if (!module.decoration(variable, spv::DecorationCoherent))
                module.add_annotation({spv::OpDecorate, variable, spv::DecorationCoherent});
            decorate_as(twin, variable);
        }
        return module.words();
    }
};

}  // namespace

void split_read_write_images(std::vector<uint32_t>& words) {
    std::vector<uint32_t> result = Splitter(words).run();
    if (!result.empty()) words = std::move(result);
}

}  // namespace mgpipe
