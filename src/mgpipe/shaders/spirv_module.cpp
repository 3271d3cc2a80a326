#include "spirv_module.h"
#include "spirv_operands.h"
#include "spirv_rewrite.h"

#include <algorithm>
#include <iterator>

namespace mgpipe {

Module::Module(const std::vector<uint32_t>& words) : header(words.begin(), words.begin() + 5), bound(words.at(3)) {
    for (size_t at = 5; at < words.size(); at += words[at] >> 16) {
        code.emplace_back(words.begin() + at, words.begin() + at + (words[at] >> 16));
        code.back()[0] &= 0xffff;
    }
    read_types();
}

std::vector<uint32_t> Module::words() const {
    std::vector<uint32_t> out = header;
    out[3] = bound;
    for (const Words& line : code) {
        if (line.empty()) continue;
        out.push_back(static_cast<uint32_t>(line.size()) << 16 | line[0]);
        out.insert(out.end(), line.begin() + 1, line.end());
    }
    return out;
}

void Module::read_types() {
    types.clear();
    constants.clear();
    for (const Words& line : code) {
        if (line.empty()) continue;
        if (line[0] >= spv::OpTypeVoid && line[0] <= spv::OpTypeFunction) types[line.at(1)] = line;
        if (line[0] == spv::OpConstant) constants[line.at(2)] = line.at(3);
    }
}

void Module::add_global(Words line) {
    const auto first = std::find_if(code.begin(), code.end(),
                                    [](const Words& each) { return !each.empty() && each[0] == spv::OpFunction; });
    code.insert(first, std::move(line));
}

void Module::add_annotation(Words line) {
    const auto first = std::find_if(code.begin(), code.end(), [](const Words& each) {
        return !each.empty() && each[0] >= spv::OpTypeVoid && each[0] <= spv::OpTypeFunction;
    });
    code.insert(first, std::move(line));
}

uint32_t Module::declare(Words type) {
    for (const auto& [id, known] : types) {
        type.at(1) = id;
        if (known == type) return id;
    }
    type[1] = fresh();
    types[type[1]] = type;
    add_global(type);
    return type[1];
}

uint32_t Module::constant(uint32_t type, uint32_t value) {
    for (const Words& line : code)
        if (!line.empty() && line[0] == spv::OpConstant && line.at(1) == type && line.at(3) == value) return line.at(2);
    const uint32_t id = fresh();
    constants[id] = value;
    add_global({spv::OpConstant, type, id, value});
    return id;
}

void Module::substitute(const std::unordered_map<uint32_t, uint32_t>& ids) {
    const auto below = [](const OperandRow& row, uint32_t wanted) { return row.last < wanted; };
    for (Words& line : code) {
        if (line.empty()) continue;
        const OperandRow* row = std::lower_bound(std::begin(operand_rows), std::end(operand_rows), line[0], below);
        size_t at = 1;
        const auto change = [&] {
            const auto found = ids.find(line.at(at));
            if (found != ids.end()) line[at] = found->second;
            at++;
        };
        for (const char* operand = row->operands; *operand; operand++) {
            switch (*operand) {
            case 't': case 'i': change(); break;
            case 'r': case 'n': case 'e': at++; break;
            case 's':
                while (!ends_text(line.at(at++))) {}
                break;
            case 'I': while (at < line.size()) change(); break;
            case 'N': case 'E': at = line.size(); break;
            case 'M':
                if (at < line.size()) at++;
                while (at < line.size()) change();
                break;
            case 'W':
                while (at < line.size()) {
                    at++;
                    change();
                }
                break;
            }
        }
    }
}

Words* Module::decoration(uint32_t id, spv::Decoration decoration, int64_t member) {
    for (Words& line : code) {
        if (line.empty() || line[0] != (member < 0 ? spv::OpDecorate : spv::OpMemberDecorate) || line.at(1) != id) continue;
        if (member < 0 ? line.at(2) == decoration : line.at(2) == member && line.at(3) == decoration) return &line;
    }
    return nullptr;
}

}  // namespace mgpipe
