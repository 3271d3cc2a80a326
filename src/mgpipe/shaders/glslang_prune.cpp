// GL calls a uniform, attribute or sampler active when the program can read it. glslang declares whatever the source
// declares; here the tree of one stage is cut down to what main() reaches, so that SPIR-V, reflection and the constants
// that a draw has to send are one and the same.
#include "glslang_program.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>

using namespace glslang;

namespace mgpipe {

static bool is_atomics(const TType& type) {
    return type.getBasicType() == EbtBlock && type.getTypeName().compare(0, strlen(atomics_name), atomics_name) == 0;
}

bool is_constants(const TType& type, glsl_stage stage) {
    return type.getBasicType() == EbtBlock && type.getTypeName() == constants_name(stage);
}

namespace {

class Walker : public TIntermTraverser {
    const glsl_stage stage;
    Reached& reached;

public:
    std::vector<std::string> called;
    std::unordered_set<TIntermBinary*> constant_reads;  // "constants.member"
    std::vector<TIntermBinary*> counter_uses;           // "atomics.member"

    Walker(glsl_stage stage, Reached& reached) : stage(stage), reached(reached) {}

    bool visitAggregate(TVisit, TIntermAggregate* node) override {
        if (node->getOp() == EOpFunctionCall) called.emplace_back(node->getName().c_str());
        return true;
    }

    bool visitBinary(TVisit, TIntermBinary* node) override {
        const TIntermSymbol* block = node->getLeft()->getAsSymbolNode();
        if (node->getOp() == EOpIndexDirectStruct && block && is_atomics(block->getType())) counter_uses.push_back(node);
        if (node->getOp() != EOpIndexDirectStruct || !block || !is_constants(block->getType(), stage)) return true;
        constant_reads.insert(node);
        return false;
    }

    void visitSymbol(TIntermSymbol* symbol) override {
        if (reached.symbols.emplace(symbol->getId(), symbol).second) reached.order.push_back(symbol);
    }
};

int member_of(const TIntermBinary* read) {
    return read->getRight()->getAsConstantUnion()->getConstArray()[0].getIConst();
}

void set_member(TIntermBinary* read, int number) {
    TConstUnionArray index(1);
    index[0].setIConst(number);
    auto* constant = new TIntermConstantUnion(index, TType(EbtInt, EvqConst));
    constant->setLoc(read->getLoc());
    read->setRight(constant);
}

// Counters lie where the source says, in any order and with holes. GLSL ES has no word for that: sort the block's
// members, leave out what nobody uses and fill the holes with members of ours, so that each offset is the one that its
// place gives it.
void lay_out_counters(const TIntermSymbol& block, const std::vector<TIntermBinary*>& uses) {
    TTypeList& members = *const_cast<TType&>(block.getType()).getWritableStruct();
    std::unordered_set<int> used;
    for (const TIntermBinary* use : uses)
        if (use->getLeft()->getType().getStruct() == &members) used.insert(member_of(use));
    std::vector<std::pair<int, int>> order;  // offset, number
    int end = 0;
    for (size_t i = 0; i < members.size(); i++) {
        TType& counter = *members[i].type;
        if (!counter.getQualifier().hasOffset()) counter.getQualifier().layoutOffset = end;  // behind the one before
        if (used.count(static_cast<int>(i)))
            order.emplace_back(counter.getQualifier().layoutOffset, static_cast<int>(i));
        end = counter.getQualifier().layoutOffset + 4 * (counter.isArray() ? counter.getCumulativeArraySize() : 1);
    }
    std::sort(order.begin(), order.end());

    TTypeList placed;
    std::vector<int> renumbered(members.size());
    end = 0;
    for (const auto& [offset, number] : order) {
        for (; end < offset; end += 4) {
            auto* hole = new TType(EbtUint, EvqBuffer);
            hole->setFieldName(("mgpipe_hole_" + std::to_string(end)).c_str());
            hole->getQualifier().layoutOffset = end;
            placed.push_back({hole, block.getLoc()});
        }
        renumbered[number] = static_cast<int>(placed.size());
        placed.push_back(members[number]);
        const TType& counter = *members[number].type;
        end = offset + 4 * (counter.isArray() ? counter.getCumulativeArraySize() : 1);
    }
    members = placed;
    for (TIntermBinary* use : uses)
        if (use->getLeft()->getType().getStruct() == &members) set_member(use, renumbered[member_of(use)]);
}

// Drops unread members from the constants block and gives the rest std140 offsets. All symbols of the block share one
// member list with the block's type.
void lay_out_constants(TIntermediate& tree, glsl_stage stage, const std::unordered_set<TIntermBinary*>& reads) {
    TIntermSymbol* block = nullptr;
    for (TIntermNode* node : tree.findLinkerObjects()->getSequence())
        if (is_constants(node->getAsSymbolNode()->getType(), stage)) block = node->getAsSymbolNode();
    if (!block) return;

    TTypeList& members = *block->getWritableType().getWritableStruct();
    std::vector<int> renumbered(members.size(), -1);
    for (const TIntermBinary* read : reads) renumbered[member_of(read)] = 0;

    int kept = 0, end = 0;
    for (size_t i = 0; i < members.size(); i++) {
        if (renumbered[i] < 0) continue;
        renumbered[i] = kept;
        members[kept] = members[i];
        TType& member = *members[kept++].type;
        const bool row_major = member_row_major(member, false);
        member.getQualifier().layoutOffset = next_member_offset(member, ElpStd140, row_major, end);
    }
    members.resize(kept);

    for (TIntermBinary* read : reads) set_member(read, renumbered[member_of(read)]);
}

// Blocks stay: GL counts std140 and shared blocks as active whether read or not. Outputs stay: feedback may capture
// them.
bool stays(const TIntermSymbol& symbol, glsl_stage stage, const Reached& reached) {
    const TType& type = symbol.getType();
    const TQualifier& qualifier = type.getQualifier();
    if (is_constants(type, stage)) return !type.getStruct()->empty();
    if (reached.symbols.count(symbol.getId()) || type.isBuiltIn()) return true;
    if (is_atomics(type)) return false;
    if (type.getBasicType() == EbtBlock) return qualifier.storage != EvqUniform || qualifier.layoutPacking != ElpPacked;
    return qualifier.storage != EvqUniform && qualifier.storage != EvqVaryingIn;
}

}  // namespace

void prune(glsl_program& program, Reached& reached) {
    TIntermediate& tree = *program.intermediate();
    TIntermSequence& root = tree.getTreeRoot()->getAsAggregate()->getSequence();

    std::unordered_map<std::string, TIntermNode*> functions;
    Walker walker(program.stage, reached);
    for (TIntermNode* node : root) {
        TIntermAggregate* aggregate = node->getAsAggregate();
        if (aggregate && aggregate->getOp() == EOpFunction)
            functions.emplace(aggregate->getName().c_str(), aggregate);
        else if (!aggregate || aggregate->getOp() != EOpLinkerObjects)
            node->traverse(&walker);  // a global initialiser: it runs before main()
    }

    std::unordered_set<TIntermNode*> live;
    walker.called.push_back(tree.getEntryPointMangledName());
    while (!walker.called.empty()) {
        const std::string name = std::move(walker.called.back());
        walker.called.pop_back();
        const auto function = functions.find(name);
        if (function != functions.end() && live.insert(function->second).second) function->second->traverse(&walker);
    }
    root.erase(std::remove_if(root.begin(), root.end(), [&](TIntermNode* node) {
        TIntermAggregate* aggregate = node->getAsAggregate();
        return aggregate && aggregate->getOp() == EOpFunction && !live.count(node);
    }), root.end());

    TIntermAggregate* linkers = tree.findLinkerObjects();
    if (!linkers) return;
    lay_out_constants(tree, program.stage, walker.constant_reads);
    TIntermSequence& objects = linkers->getSequence();
    for (TIntermNode* node : objects)
        if (is_atomics(node->getAsSymbolNode()->getType())) lay_out_counters(*node->getAsSymbolNode(), walker.counter_uses);
    objects.erase(std::remove_if(objects.begin(), objects.end(), [&](TIntermNode* node) {
        return !stays(*node->getAsSymbolNode(), program.stage, reached);
    }), objects.end());
}

}  // namespace mgpipe
