// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/engine/hot_lines.h"

#include <algorithm>
#include <map>
#include <utility>

namespace poplar::detail {

void BlockTally::add(std::uint32_t tile, const std::vector<std::uint64_t>& counts) {
  std::vector<std::uint64_t>& all = by_tile_.at(tile);
  if (all.empty()) all.resize(blocks_, 0);
  for (std::size_t block = 0; block < counts.size(); ++block) all[block] += counts[block];
}

void BlockTally::clear() {
  for (std::vector<std::uint64_t>& all : by_tile_) all.clear();
}

std::vector<HotLine> BlockTally::lines(
    const std::vector<ipusim::codelets::CodeBlock>& blocks) const {
  std::map<std::pair<std::string, std::uint32_t>, std::uint64_t> slots;
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    std::uint64_t count = 0;
    for (const auto& all : by_tile_) count += all.empty() ? 0 : all[block];
    if (count == 0) continue;
    for (const auto& share : blocks[block].lines) {
      slots[{share.file, share.line}] += count * share.slots;
    }
  }
  std::vector<HotLine> lines;
  lines.reserve(slots.size());
  for (const auto& [place, total] : slots) lines.push_back({place.first, place.second, total});
  std::stable_sort(lines.begin(), lines.end(),
                   [](const HotLine& a, const HotLine& b) { return a.slots > b.slots; });
  return lines;
}

}  // namespace poplar::detail
