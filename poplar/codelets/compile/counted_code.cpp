// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/compile/counted_code.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace ipusim::codelets {

namespace {

OptimisationLevel levelOf(const std::string& flag) {
  if (flag == "-O0") return OptimisationLevel::O0;
  if (flag == "-O1") return OptimisationLevel::O1;
  if (flag == "-O3") return OptimisationLevel::O3;
  return OptimisationLevel::O2;
}

CodeBlock blockOf(const Counter& counter) {
  const tile_compiler::Work& work = counter.work;
  CodeBlock block{counter.function, counter.slots.value(), {}, {}};
  block.work = {work.flops, work.loaded, work.stored};
  for (const LineShare& line : counter.lines) {
    block.lines.push_back({line.file, line.line, line.slots.value()});
  }
  return block;
}

/// The functions of a unit as they are on the tile.
class TileFunctions {
 public:
  explicit TileFunctions(const std::vector<FunctionSize>& functions) {
    for (const FunctionSize& each : functions) functions_.emplace(each.symbol, &each);
  }

  void measure(VertexType& vertex) const {
    std::set<std::string> called;
    std::set<std::string> open;
    vertex.stack_bytes = deepest(vertex.symbol, open, called);
    vertex.code_bytes = Bytes(0);
    for (const std::string& symbol : called) vertex.code_bytes += functions_.at(symbol)->code;
  }

 private:
  /// The stack from a function on. A call back to a function that is open counts once: recursion
  /// has no known depth.
  Bytes deepest(const std::string& symbol, std::set<std::string>& open,
                std::set<std::string>& called) const {
    const auto found = functions_.find(symbol);
    if (found == functions_.end() || !open.insert(symbol).second) return Bytes(0);
    called.insert(symbol);
    Bytes most;
    for (const std::string& callee : found->second->callees) {
      most = std::max(most, deepest(callee, open, called));
    }
    open.erase(symbol);
    return most + found->second->stack;
  }

  std::map<std::string, const FunctionSize*> functions_;
};

}  // namespace

void countCode(UnitCode& code, const std::string& level, detail::Module& module) {
  std::vector<std::string> entries;
  for (const VertexType& vertex : module.vertices) entries.push_back(vertex.symbol);
  const CountedModule counted = code.count(popcOptions(levelOf(level), std::move(entries)));
  for (const Counter& counter : counted.counters) module.blocks.push_back(blockOf(counter));
  const TileFunctions functions(counted.functions);
  for (VertexType& vertex : module.vertices) functions.measure(vertex);
}

}  // namespace ipusim::codelets
