// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/lower/bind.h"

#include <algorithm>

#include "ipusim/error.h"

namespace ipusim::compiler {

namespace {

using PartWalk = Walk<Ends<ShareElements, PackedElements>>;
using EdgeWalk = Walk<Bytes, 3>;

/// What a field reads or writes in the tile's share of one variable, in the order of the field.
struct LocalWalk {
  VariableId variable;
  Walk<ShareElements> walk;
};
using LocalWalks = boost::container::small_vector<LocalWalk, 1>;

/// False when the first or the last element of a section is surely on another tile. This cheap test
/// settles nearly every field with remote data.
bool endsAreOnTile(const Placement& placement, TileId tile, const View& view) {
  return std::all_of(view.begin(), view.end(), [&](const Section& section) {
    return placement.intervalAt(section.variable, section.begin()).tile == tile &&
           placement.intervalAt(section.variable, section.end() - 1).tile == tile;
  });
}

/// The parts of a view on one tile, in the order of the view's elements. Empty if an element is on
/// another tile.
std::vector<ViewPart> localParts(const Placement& placement, TileId tile, const View& view) {
  std::vector<ViewPart> parts = placement.partsOf(view);
  const bool all_here = std::all_of(parts.begin(), parts.end(),
                                    [tile](const ViewPart& part) { return part.tile == tile; });
  if (!all_here) return {};
  const auto comes_before = [](const ViewPart& a, const ViewPart& b) {
    return a.walk.begin.to < b.walk.begin.to;
  };
  if (!std::is_sorted(parts.begin(), parts.end(), comes_before)) {
    std::sort(parts.begin(), parts.end(), comes_before);
  }
  return parts;
}

/// The walk over a part's local elements in packed order. None if the cuts left another order.
std::optional<Walk<ShareElements>> walkInOrder(PartWalk part) {
  std::sort(part.levels.begin(), part.levels.end(),
            [](const auto& a, const auto& b) { return a.stride.to > b.stride.to; });
  PackedElements packed(1);
  for (auto level = part.levels.rbegin(); level != part.levels.rend(); ++level) {
    if (level->stride.to != packed) return std::nullopt;
    packed = packed * level->count;
  }
  Walk<ShareElements> walk = fromEnd(part);
  walk.normalize();
  return walk;
}

/// Edges of `edge` elements along a walk. None where the elements of an edge would not be
/// consecutive.
std::optional<EdgeWalk> edgesAlong(const Walk<ShareElements>& walk, std::uint64_t edge,
                                   Bytes element) {
  auto edges = converted<Bytes, 3>(
      walk, [element](ShareElements elements) { return element * elements.value(); });
  if (edge == 1) return edges;
  if (walk.levels.empty()) return std::nullopt;
  const auto& run = walk.levels.back();
  if (run.stride != ShareElements(1) || run.count % edge != 0) return std::nullopt;
  edges.levels.pop_back();
  if (run.count != edge) edges.levels.push_back({run.count / edge, edge * element});
  return edges;
}

/// Joins neighbouring parts that are single runs and follow one another in memory.
void joinRuns(std::vector<ViewPart>& parts) {
  constexpr Ends<ShareElements, PackedElements> kNext{ShareElements(1), PackedElements(1)};
  const auto is_run = [kNext](const PartWalk& walk) {
    return walk.levels.empty() || (walk.levels.size() == 1 && walk.levels[0].stride == kNext);
  };
  std::vector<ViewPart> joined;
  for (ViewPart& part : parts) {
    ViewPart* before = joined.empty() ? nullptr : &joined.back();
    if (before != nullptr && before->variable == part.variable && is_run(before->walk) &&
        is_run(part.walk) &&
        before->walk.begin.from + ShareElements(before->walk.elements()) == part.walk.begin.from) {
      const std::uint64_t count = before->walk.elements() + part.walk.elements();
      before->walk.levels.clear();
      before->walk.addInside({count, kNext});
    } else {
      joined.push_back(std::move(part));
    }
  }
  parts = std::move(joined);
}

/// The walk over a section that lies in one interval of its variable, on this tile. Most fields
/// that need no exchange are one such section.
std::optional<Walk<ShareElements>> walkInInterval(const Placement& placement, TileId tile,
                                                  const Section& section) {
  const MappedInterval& interval = placement.intervalAt(section.variable, section.begin());
  if (interval.tile != tile || section.end() > interval.end) return std::nullopt;
  auto walk = converted<ShareElements>(
      section.walk, [](VariableElements elements) { return ShareElements(elements.value()); });
  walk.begin = ShareElements(section.begin() - interval.begin + interval.local);
  walk.normalize();
  return walk;
}

/// The walk over a section whose outermost level goes from interval to interval of its variable,
/// all on this tile and a constant distance apart in the tile's share. A loop that works on one
/// slice of a tensor after the other leaves such sections.
std::optional<Walk<ShareElements>> walkAcrossIntervals(const Placement& placement, TileId tile,
                                                       const Section& section) {
  const auto& levels = section.walk.levels;
  if (levels.empty() || levels.front().count < 2) return std::nullopt;
  const auto& [count, stride] = levels.front();
  Section inner = section;
  inner.walk.levels.erase(inner.walk.levels.begin());
  const std::uint64_t span = inner.end() - inner.begin();
  IntervalCursor intervals(placement.mapping(section.variable));
  std::uint64_t first = 0;     // in the tile's share
  std::uint64_t distance = 0;  // in the share, from one step of the level to the next
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t begin = section.begin() + i * stride.value();
    const MappedInterval& interval = intervals.at(begin);
    if (interval.tile != tile || begin + span > interval.end) return std::nullopt;
    const std::uint64_t local = begin - interval.begin + interval.local;
    if (i == 0) first = local;
    if (i == 1) distance = local - first;
    if (local != first + i * distance) return std::nullopt;
  }
  Walk<ShareElements> walk{ShareElements(first)};
  walk.levels.push_back({count, ShareElements(distance)});
  for (const auto& level : inner.walk.levels) {
    walk.levels.push_back({level.count, ShareElements(level.stride.value())});
  }
  walk.normalize();
  return walk;
}

/// The walks of a view that is all on one tile. Empty where an element is on another tile, or where
/// the cuts left another order.
LocalWalks localWalks(const Placement& placement, TileId tile, const View& view) {
  LocalWalks walks;
  if (view.size() == 1) {
    auto walk = walkInInterval(placement, tile, view.front());
    if (!walk) walk = walkAcrossIntervals(placement, tile, view.front());
    if (walk) {
      walks.push_back({view.front().variable, *std::move(walk)});
      return walks;
    }
  }
  if (!endsAreOnTile(placement, tile, view)) return walks;
  std::vector<ViewPart> parts = localParts(placement, tile, view);
  joinRuns(parts);
  for (ViewPart& part : parts) {
    auto walk = walkInOrder(std::move(part.walk));
    if (!walk) return {};
    walks.push_back({part.variable, *std::move(walk)});
  }
  return walks;
}

/// Adds pointers for groups of unlike edges. The groups follow one another from `offset` on.
void appendGroups(const Field& field, BlockId block, Bytes offset, BoundField& bound) {
  const Bytes element = sizeOf(field.type);
  for (const EdgeGroup& group : field.groups) {
    EdgePattern pattern{block, {offset}};
    pattern.walk.addInside({group.count, group.elements * element});
    bound.patterns.push_back(std::move(pattern));
    offset += group.count * group.elements * element;
  }
}

}  // namespace

std::optional<BoundField> bindDirectly(const Placement& placement, TileId tile, const Field& field,
                                       const View& all) {
  const LocalWalks walks = localWalks(placement, tile, all);
  if (walks.empty()) return std::nullopt;

  BoundField bound;
  for (const auto& [variable, walk] : walks) {
    const Bytes element = placement.elementBytes(variable);
    const BlockId block = placement.share(variable, tile);
    if (field.groups.size() == 1) {
      const auto edges = edgesAlong(walk, field.groups.front().elements, element);
      if (!edges) return std::nullopt;
      bound.patterns.push_back({block, *edges});
      continue;
    }
    const bool one_run = walks.size() == 1 && walk.levels.size() <= 1 &&
                         walk.elements() == field.elements() &&
                         (walk.levels.empty() || walk.levels.front().stride == ShareElements(1));
    if (!one_run) return std::nullopt;
    appendGroups(field, block, element * walk.begin.value(), bound);
  }
  return bound;
}

BoundField bindBuffer(BlockId buffer, std::uint32_t count, const Field& field, BufferUse use) {
  const Bytes element = sizeOf(field.type);
  const Bytes vertex_step = use == BufferUse::Shared ? Bytes(0) : field.elements() * element;
  BoundField bound;
  if (field.groups.size() == 1) {
    const EdgeGroup& group = field.groups.front();
    EdgePattern pattern{buffer, {}};
    pattern.walk.addInside({count, vertex_step});
    pattern.walk.addInside({group.count, group.elements * element});
    bound.patterns.push_back(std::move(pattern));
    return bound;
  }
  for (std::uint32_t v = 0; v < count; ++v) appendGroups(field, buffer, v * vertex_step, bound);
  return bound;
}

}  // namespace ipusim::compiler
