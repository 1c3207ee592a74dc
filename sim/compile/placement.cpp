// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/placement.h"

#include <fmt/format.h>

#include "ipusim/error.h"

namespace ipusim::compiler {

Placement::Placement(const Graph& graph, const TileSpace& space) : space_(space) {
  const std::uint32_t tiles = space.tiles();
  mappings_.reserve(graph.variables().size());
  for (const Variable& variable : graph.variables()) {
    const auto id = static_cast<VariableId>(mappings_.size());
    const Bytes element = sizeOf(variable.type);
    std::vector<BlockId> shares(tiles, kNoBlock);
    mappings_.emplace_back(variable);
    const MemoryCategory category =
        variable.constant ? MemoryCategory::Constants : MemoryCategory::Variables;
    for (const MappedInterval& interval : mappings_.back().intervals()) {
      if (!(interval.tile < TileId(tiles))) {
        throw GraphError(fmt::format("variable {}: wanted a tile below {}, found tile {}",
                                     variable.name, tiles, interval.tile.tile()));
      }
      BlockId& share = shares[interval.tile.tile()];
      if (share == kNoBlock) {
        share = static_cast<BlockId>(blocks_.size());
        blocks_.push_back({interval.tile, Bytes(0), category, id});
        blocks_.back().always_live = variable.lifetime == Lifetime::Always;
      }
      blocks_[indexOf(share)].bytes += (interval.end - interval.begin) * element;
    }
    element_bytes_.push_back(element);
    share_of_.push_back(std::move(shares));
  }
  cursors_.reserve(mappings_.size());
  for (const MappingIndex& index : mappings_) cursors_.emplace_back(index);
}

std::vector<ViewPart> Placement::partsOf(const View& view) const {
  std::vector<ViewPart> parts;
  std::vector<TilePart<PackedElements>> of_section;
  for (const PackedSection& section : packed(view)) {
    cut(section.walk, mapping(section.variable), of_section);
    for (auto& part : of_section) {
      parts.push_back({section.variable, part.tile, std::move(part.walk)});
    }
  }
  return parts;
}

BlockId Placement::addBuffer(TileId tile, Bytes bytes) {
  blocks_.push_back({tile, bytes, MemoryCategory::MessageBuffers, kNoVariable});
  return static_cast<BlockId>(blocks_.size() - 1);
}

void Placement::moveInto(Lowered& lowered) {
  blocks_.shrink_to_fit();
  lowered.blocks = std::move(blocks_);
  lowered.share_of = std::move(share_of_);
}

}  // namespace ipusim::compiler
