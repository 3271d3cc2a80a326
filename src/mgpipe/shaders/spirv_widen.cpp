// Transform feedback of doubles. GLSL ES computes them as floats (spirv_demote.cpp); what is captured has the size and the
// layout of doubles all the same: the stage itself writes the two words of each into an output of unsigned integers, which
// is captured in place of the output that the program named.
#include "spirv_es.h"
#include "spirv_module.h"
#include "spirv_rewrite.h"

#include <cstring>
#include <stdexcept>

namespace mgpipe {

namespace {

constexpr uint32_t most_doubles = 256;  // of one name; limits of drivers are far below

// A name as transform feedback has it, "Block.member[2]" or "output[1].member", followed through a module's types.
class Follower {
    Module module;
    std::unordered_map<uint32_t, std::string> names;
    std::unordered_map<uint64_t, std::string> member_names;     // (structure << 32 | member)

    static std::string text(const Words& line, size_t at) {
        std::string found(reinterpret_cast<const char*>(line.data() + at), 4 * (line.size() - at));
        return found.substr(0, found.find('\0'));
    }

    uint32_t member(uint32_t structure, const std::string& name) const {
        const uint32_t count = static_cast<uint32_t>(module.type(structure).size()) - 2;
        for (uint32_t i = 0; i < count; i++) {
            const auto found = member_names.find(static_cast<uint64_t>(structure) << 32 | i);
            if (found != member_names.end() && found->second == name) return i;
        }
        throw std::invalid_argument("transform feedback of " + name + ", which is no member");
    }

    // The output that the first part of a name means, and the type behind it. 0: none, it is built in.
    uint32_t root(const std::string& name, uint32_t& type) {
        for (const Words& line : module.code) {
            if (line[0] != spv::OpVariable || line.at(3) != spv::StorageClassOutput) continue;
            type = module.type(line.at(1)).at(3);
            const uint32_t named = module.decoration(type, spv::DecorationBlock) ? type : line.at(2);
            const auto found = names.find(named);
            if (found != names.end() && found->second == name) return line[2];
        }
        return 0;
    }

    bool is(uint32_t type, uint32_t opcode) const { return module.type(type)[0] == opcode; }

public:
    explicit Follower(const std::vector<uint32_t>& words) : module(words) {
        for (const Words& line : module.code) {
            if (line[0] == spv::OpName) names[line.at(1)] = text(line, 2);
            if (line[0] == spv::OpMemberName)
                member_names[static_cast<uint64_t>(line.at(1)) << 32 | line.at(2)] = text(line, 3);
        }
    }

    bool has_doubles() const {
        for (const auto& [id, type] : module.types)
            if (type[0] == spv::OpTypeFloat && type.at(2) == 64) return true;
        return false;
    }

    // False: what the name means is not of doubles.
    bool follow(const std::string& name, DoubleCapture& capture) {
        size_t at = name.find_first_of(".[");
        uint32_t type = 0;
        capture.variable = root(name.substr(0, at), type);
        if (!capture.variable) return false;
        while (at < name.size()) {
            const size_t end = std::min(name.find_first_of(".[", at + 1), name.size());
            if (name[at] == '.') {
                if (!is(type, spv::OpTypeStruct)) throw std::invalid_argument("transform feedback of " + name);
                capture.path.push_back(member(type, name.substr(at + 1, end - at - 1)));
                type = module.type(type).at(capture.path.back() + 2);
            } else {
                if (!is(type, spv::OpTypeArray)) throw std::invalid_argument("transform feedback of " + name);
                capture.path.push_back(static_cast<uint32_t>(std::stoul(name.substr(at + 1, end - at - 2))));
                if (capture.path.back() >= module.constants.at(module.type(type).at(3)))
                    throw std::invalid_argument("transform feedback of " + name + ", which ends before");
                type = module.type(type).at(2);
            }
            at = end;
        }
        while (is(type, spv::OpTypeArray) || is(type, spv::OpTypeMatrix) || is(type, spv::OpTypeVector)) {
            const Words& words = module.type(type);
            capture.dimensions.push_back(words[0] == spv::OpTypeArray ? module.constants.at(words.at(3)) : words.at(3));
            type = words.at(2);
        }
        return is(type, spv::OpTypeFloat) && module.type(type).at(2) == 64;
    }
};

}  // namespace

std::vector<DoubleCapture> find_double_captures(const std::vector<uint32_t>& words, spirv_feedback& feedback) {
    std::vector<DoubleCapture> found;
    Follower follower(words);
    if (!follower.has_doubles()) return found;
    const char* name = feedback.names;
    for (uint32_t i = 0; i < feedback.count; i++, name += std::strlen(name) + 1) {
        DoubleCapture capture;
        capture.index = i;
        if (!follower.follow(name, capture)) continue;
        uint64_t count = 1;
        for (uint32_t each : capture.dimensions)
            if ((count *= each) > most_doubles) throw std::invalid_argument("transform feedback of too many doubles at once");
        feedback.widened[i / 32] |= 1u << i % 32;
        found.push_back(std::move(capture));
    }
    return found;
}

std::vector<std::string> EsCompiler::doubles_of(const DoubleCapture& capture) {
    const spirv_cross::SPIRType* type = &get_type_from_variable(capture.variable);
    std::string name = to_name(capture.variable);
    for (uint32_t step : capture.path) {
        const bool is_array = !type->array.empty();
        name += is_array ? "[" + std::to_string(step) + "]" : "." + to_member_name(*type, step);
        type = &get_type(is_array ? type->parent_type : type->member_types[step]);
    }
    std::vector<std::string> all{name};
    for (uint32_t length : capture.dimensions) {
        std::vector<std::string> inner;
        for (const std::string& each : all)
            for (uint32_t i = 0; i < length; i++) inner.push_back(each + "[" + std::to_string(i) + "]");
        all = std::move(inner);
    }
    return all;
}

// What is behind the stage's own text: outputs of two words a double, two doubles in each where their number is even, and
// the function that fills them.
std::string EsCompiler::widening() {
    std::string outputs, body;
    for (const DoubleCapture& capture : captures) {
        const std::vector<std::string> values = doubles_of(capture);
        const std::string name = "mgpipe_wide_" + std::to_string(capture.index);
        const size_t each = values.size() % 2 ? 1 : 2, count = values.size() / each;
        outputs += "flat out highp " + std::string(each == 2 ? "uvec4 " : "uvec2 ") + name
                 + (count > 1 ? "[" + std::to_string(count) + "]" : "") + ";\n";
        for (size_t i = 0; i < count; i++)
            body += "    " + name + (count > 1 ? "[" + std::to_string(i) + "]" : "") + " = "
                  + (each == 2 ? "uvec4(mgpipe_widen(" + values[2 * i] + "), mgpipe_widen(" + values[2 * i + 1] + "))"
                               : "mgpipe_widen(" + values[i] + ")") + ";\n";
    }
    return outputs +
           "highp uvec2 mgpipe_widen(highp float value)\n{\n"
           "    highp uint bits = floatBitsToUint(value), sign = bits & 0x80000000u, fraction = bits & 0x7fffffu;\n"
           "    highp int exponent = int(bits >> 23 & 255u);\n"
           "    if (exponent == 0 && fraction == 0u) return uvec2(0u, sign);\n"
           "    if (exponent == 0)\n    {\n"           // a denormal one is normal as a double
           "        highp int shift = 23 - findMSB(fraction);\n"
           "        fraction = fraction << shift & 0x7fffffu;\n        exponent = 1 - shift;\n    }\n"
           "    highp uint wide = exponent == 255 ? 2047u : uint(exponent + 896);\n"
           "    return uvec2(fraction << 29, sign | wide << 20 | fraction >> 3);\n}\n"
           "void mgpipe_widen_captures()\n{\n" + body + "}\n";
}

}  // namespace mgpipe
