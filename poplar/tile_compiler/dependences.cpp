// SPDX-License-Identifier: Apache-2.0
#include "poplar/tile_compiler/dependences.h"

#include <algorithm>
#include <map>

#include "poplar/tile_compiler/registers/liveness.h"

namespace ipusim::tile_compiler {
namespace {

bool isStore(const MemoryAccess& access) {
  return access.kind == MemoryAccess::Kind::Store;
}

class DependenceBuilder {
 public:
  DependenceBuilder(const MachineFunction& function, std::size_t count) : function_(function) {
    found_.successors.resize(count);
    found_.predecessors.resize(count, 0);
    found_.heights.resize(count, 1);
  }

  void add(std::size_t n, const Instruction& instruction) {
    for (const Word word : readWords(function_, instruction)) {
      const auto writer = writer_.find(word);
      if (writer != writer_.end()) link(writer->second, n, 1);
    }
    for (const Word word : writtenWords(function_, instruction)) {
      const auto writer = writer_.find(word);
      if (writer != writer_.end()) link(writer->second, n, 1);
      for (const std::size_t reader : readers_[word]) link(reader, n, 0);
      readers_[word].clear();
      writer_[word] = n;
    }
    for (const Word word : readWords(function_, instruction)) readers_[word].push_back(n);
    if (instruction.memory) addAccess(n, *instruction.memory);
  }

  Dependences finish() {
    for (std::size_t n = found_.successors.size(); n-- > 0;) {
      for (const Edge& edge : found_.successors[n]) {
        found_.heights[n] = std::max(found_.heights[n], found_.heights[edge.to] + edge.latency);
      }
    }
    return std::move(found_);
  }

 private:
  void link(std::size_t from, std::size_t to, unsigned latency) {
    if (from == to) return;
    found_.successors[from].push_back({to, latency});
    ++found_.predecessors[to];
  }

  void addAccess(std::size_t n, const MemoryAccess& access) {
    for (const auto& [earlier, other] : accesses_) {
      if ((isStore(access) || isStore(other)) && mayOverlap(access, other)) {
        link(earlier, n, isStore(other) && !isStore(access) ? 1 : 0);
      }
    }
    accesses_.emplace_back(n, access);
  }

  const MachineFunction& function_;
  Dependences found_;
  std::map<Word, std::size_t> writer_;
  std::map<Word, std::vector<std::size_t>> readers_;
  std::vector<std::pair<std::size_t, MemoryAccess>> accesses_;
};

}  // namespace

bool mayOverlap(const MemoryAccess& a, const MemoryAccess& b) {
  if (a.alias_class != 0 && b.alias_class != 0 && a.alias_class != b.alias_class) return false;
  const bool a_is_slot = a.base && *a.base == MemoryAccess::kStack;
  const bool b_is_slot = b.base && *b.base == MemoryAccess::kStack;
  if (a_is_slot != b_is_slot) return false;
  if (!a.base || !b.base || *a.base != *b.base) return true;
  return a.offset < b.offset + static_cast<std::int64_t>(b.bytes) &&
         b.offset < a.offset + static_cast<std::int64_t>(a.bytes);
}

Dependences dependencesOf(const MachineFunction& function, const MachineBlock& block,
                          std::size_t begin, std::size_t end) {
  DependenceBuilder builder(function, end - begin);
  for (std::size_t n = begin; n < end; ++n) builder.add(n - begin, block.instructions[n]);
  return builder.finish();
}

}  // namespace ipusim::tile_compiler
