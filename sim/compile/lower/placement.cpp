// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/lower/placement.h"

#include <fmt/format.h>

#include "ipusim/error.h"

namespace ipusim::compiler {

Placement::Placement(const Graph& graph, const TileSpace& space) : space_(space) {
  mappings_.reserve(graph.variables().size());
  std::size_t shares = 0;
  for (const Variable& variable : graph.variables()) {
    mappings_.emplace_back(variable);
    element_bytes_.push_back(sizeOf(variable.type));
    share_of_.push_back(numberShares(mappings_.back(), variable.name, shares));
  }
  // Message buffers follow. A page of memory that nothing was written to costs nothing, but a
  // vector that grows is there twice.
  blocks_.reserve(2 * shares);
  for (std::size_t v = 0; v < mappings_.size(); ++v) {
    addShares(graph.variables()[v], static_cast<VariableId>(v));
  }
  cursors_.reserve(mappings_.size());
  for (const MappingIndex& index : mappings_) cursors_.emplace_back(index);
}

/// The block of each tile that a variable has elements on, numbered from `next` on.
std::vector<BlockId> Placement::numberShares(const MappingIndex& mapping, const std::string& name,
                                             std::size_t& next) const {
  const std::uint32_t tiles = space_.tiles();
  std::vector<BlockId> shares(tiles, kNoBlock);
  for (const MappedInterval& interval : mapping.intervals()) {
    if (!(interval.tile < TileId(tiles))) {
      throw GraphError(fmt::format("variable {}: wanted a tile below {}, found tile {}", name,
                                   tiles, interval.tile.tile()));
    }
    BlockId& share = shares[interval.tile.tile()];
    if (share == kNoBlock) share = static_cast<BlockId>(next++);
  }
  return shares;
}

void Placement::addShares(const Variable& variable, VariableId id) {
  const MemoryCategory category =
      variable.constant ? MemoryCategory::Constants : MemoryCategory::Variables;
  for (const MappedInterval& interval : mapping(id).intervals()) {
    const BlockId number = share(id, interval.tile);
    if (indexOf(number) == blocks_.size()) {
      blocks_.push_back({interval.tile, id, Bytes(0), category});
      blocks_.back().always_live = variable.lifetime == Lifetime::Always;
    }
    block(number).bytes += (interval.end - interval.begin) * elementBytes(id);
  }
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
  blocks_.push_back({tile, kNoVariable, bytes, MemoryCategory::MessageBuffers});
  return static_cast<BlockId>(blocks_.size() - 1);
}

void Placement::moveInto(Lowered& lowered) {
  lowered.blocks = std::move(blocks_);
  lowered.share_of = std::move(share_of_);
}

}  // namespace ipusim::compiler
