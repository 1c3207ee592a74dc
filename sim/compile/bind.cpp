// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/bind.h"

#include <algorithm>

#include "base/error.h"

namespace ipusim::compiler {

using workloads::EdgeGroup;
using workloads::Field;
using workloads::Move;
using workloads::MoveDim;
using workloads::SectionDims;
using workloads::View;

namespace {

/// False when the first or the last element of a section is surely elsewhere: the cheap test that
/// settles nearly every field with remote data.
bool endsAreOnTile(const Placement& placement, TileId tile, const View& view) {
  return std::all_of(view.begin(), view.end(), [&](const workloads::Section& section) {
    const MappingIndex& mapping = placement.mapping(section.variable);
    return mapping.at(section.offset).tile == tile && mapping.at(section.end() - 1).tile == tile;
  });
}

/// The parts of a view on one tile in the order of its elements; empty if one is elsewhere.
std::vector<CutMove> localParts(const Placement& placement, TileId tile, const View& view) {
  std::vector<CutMove> parts;
  for (const Move& move : packingMoves(view, 0)) {
    cutBySide(move, Side::From, placement.mapping(move.from), parts);
  }
  const bool all_here = std::all_of(parts.begin(), parts.end(),
                                    [tile](const CutMove& part) { return part.tile == tile; });
  if (!all_here) return {};
  std::sort(parts.begin(), parts.end(),
            [](const CutMove& a, const CutMove& b) { return a.move.to_offset < b.move.to_offset; });
  return parts;
}

/// The walk over a part's local elements in packed order; nothing if the cuts left another order.
std::optional<SectionDims> walkInOrder(Move part) {
  std::sort(part.dims.begin(), part.dims.end(),
            [](const MoveDim& a, const MoveDim& b) { return a.to_stride > b.to_stride; });
  std::uint64_t packed = 1;
  for (auto dim = part.dims.rbegin(); dim != part.dims.rend(); ++dim) {
    if (dim->to_stride != packed) return std::nullopt;
    packed *= dim->count;
  }
  SectionDims walk;
  for (const MoveDim& dim : part.dims) walk.push_back({dim.count, dim.from_stride});
  workloads::normalize(walk);
  return walk;
}

/// Edges of `edge` elements along a walk; nothing where an edge would not be consecutive.
std::optional<AddressDims> edgesAlong(const SectionDims& walk, std::uint64_t edge, Bytes element) {
  AddressDims dims;
  for (const workloads::SectionDim& dim : walk) {
    dims.push_back({dim.count, dim.stride * element});
  }
  if (edge == 1) return dims;
  if (walk.empty() || walk.back().stride != 1 || walk.back().count % edge != 0) return std::nullopt;
  dims.back() = {walk.back().count / edge, edge * element};
  if (dims.back().count == 1) dims.pop_back();
  return dims;
}

/// Joins neighbouring parts that are single runs and follow one another in memory.
void joinRuns(std::vector<CutMove>& parts) {
  const auto is_run = [](const Move& move) {
    return move.dims.empty() ||
           (move.dims.size() == 1 && move.dims[0].from_stride == 1 && move.dims[0].to_stride == 1);
  };
  const auto length = [](const Move& move) { return move.dims.empty() ? 1 : move.dims[0].count; };
  std::vector<CutMove> joined;
  for (CutMove& part : parts) {
    Move* before = joined.empty() ? nullptr : &joined.back().move;
    if (before != nullptr && before->from == part.move.from && is_run(*before) &&
        is_run(part.move) && before->from_offset + length(*before) == part.move.from_offset) {
      const std::uint64_t count = length(*before) + length(part.move);
      before->dims = {{count, 1, 1}};
    } else {
      joined.push_back(std::move(part));
    }
  }
  parts = std::move(joined);
}

/// Pointers for groups of unlike edges that follow one another from `offset` on.
void appendGroups(const Field& field, BlockId block, Bytes offset, BoundField& bound) {
  const Bytes element = sizeOf(field.type);
  for (const EdgeGroup& group : field.groups) {
    AddressDims dims;
    if (group.count != 1) dims.push_back({group.count, group.elements * element});
    bound.patterns.push_back({block, offset, dims});
    offset += group.count * group.elements * element;
  }
}

}  // namespace

std::optional<BoundField> bindDirectly(const Placement& placement, TileId tile, const Field& field,
                                       const View& all) {
  if (!endsAreOnTile(placement, tile, all)) return std::nullopt;
  std::vector<CutMove> parts = localParts(placement, tile, all);
  if (parts.empty()) return std::nullopt;
  joinRuns(parts);

  BoundField bound;
  for (const CutMove& part : parts) {
    const Bytes element = placement.elementBytes(part.move.from);
    const BlockId block = placement.share(part.move.from, tile);
    const auto walk = walkInOrder(part.move);
    if (!walk) return std::nullopt;
    if (field.groups.size() == 1) {
      const auto dims = edgesAlong(*walk, field.groups.front().elements, element);
      if (!dims) return std::nullopt;
      bound.patterns.push_back({block, part.move.from_offset * element, *dims});
      continue;
    }
    const bool one_run = parts.size() == 1 && walk->size() <= 1 &&
                         workloads::elementsOf(*walk) == field.elements() &&
                         (walk->empty() || walk->front().stride == 1);
    if (!one_run) return std::nullopt;
    appendGroups(field, block, part.move.from_offset * element, bound);
  }
  return bound;
}

BoundField bindBuffer(BlockId buffer, std::uint32_t count, const Field& field, BufferUse use) {
  const Bytes element = sizeOf(field.type);
  const Bytes vertex_step = use == BufferUse::Shared ? Bytes(0) : field.elements() * element;
  BoundField bound;
  if (field.groups.size() == 1) {
    const EdgeGroup& group = field.groups.front();
    AddressDims dims;
    if (count != 1) dims.push_back({count, vertex_step});
    if (group.count != 1) dims.push_back({group.count, group.elements * element});
    bound.patterns.push_back({buffer, Bytes(0), dims});
    return bound;
  }
  for (std::uint32_t v = 0; v < count; ++v) appendGroups(field, buffer, v * vertex_step, bound);
  return bound;
}

}  // namespace ipusim::compiler
