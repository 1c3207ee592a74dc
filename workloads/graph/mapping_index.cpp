// SPDX-License-Identifier: Apache-2.0
#include "workloads/graph/mapping_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "ipusim/error.h"

namespace ipusim {

MappingIndex::MappingIndex(const Variable& variable) : intervals_(&variable.mapping.intervals()) {
  std::uint64_t covered = 0;
  for (const MappedInterval& interval : *intervals_) {
    if (interval.begin != covered) break;
    covered = interval.end;
  }
  if (covered == variable.elements) return;
  throw GraphError(
      fmt::format("variable {}: wanted a tile for each of its {} elements, found none for "
                  "element {}",
                  variable.name, variable.elements, covered));
}

std::size_t MappingIndex::numberOf(std::uint64_t element) const {
  const auto next =
      std::upper_bound(intervals_->begin(), intervals_->end(), element,
                       [](std::uint64_t e, const MappedInterval& i) { return e < i.begin; });
  return static_cast<std::size_t>(next - intervals_->begin()) - 1;
}

namespace {

/// Cuts one walk. The member functions recurse over its levels, the widest stride first.
template <typename To>
class Cutter {
 public:
  using Whole = Walk<Ends<VariableElements, To>>;

  Cutter(IntervalCursor& intervals, std::vector<TilePart<To>>& parts)
      : intervals_(intervals), parts_(parts) {}

  void cut(const Whole& walk) {
    const std::uint64_t begin = walk.begin.from.value();
    const MappedInterval& interval = intervals_.at(begin);
    if (begin + spanOf(walk) <= interval.end) {
      emit(walk, interval);
      return;
    }
    const auto widest = std::max_element(
        walk.levels.begin(), walk.levels.end(),
        [](const auto& a, const auto& b) { return a.stride.from < b.stride.from; });
    cutAlong(walk, static_cast<std::size_t>(widest - walk.levels.begin()));
  }

 private:
  /// The elements of the variable from the first to one past the last that the walk touches.
  static std::uint64_t spanOf(const Whole& walk) {
    return walk.span({VariableElements(1), To(1)}).from.value();
  }

  void emit(const Whole& walk, const MappedInterval& interval) {
    // Neighbours in an interval are neighbours in the share: only the start moves.
    auto part = converted<Ends<ShareElements, To>>(walk, [](const Ends<VariableElements, To>& e) {
      return Ends<ShareElements, To>{ShareElements(e.from.value()), e.to};
    });
    part.begin.from = ShareElements(walk.begin.from.value() - interval.begin + interval.local);
    parts_.push_back({interval.tile, walk.begin.from, std::move(part)});
  }

  /// Takes as many steps of level `l` at once as stay in one interval.
  void cutAlong(const Whole& walk, std::size_t l) {
    const auto level = walk.levels[l];
    const auto place = static_cast<std::ptrdiff_t>(l);
    Whole inner = walk;
    inner.levels.erase(inner.levels.begin() + place);
    const std::uint64_t inner_span = spanOf(inner);
    for (std::uint64_t step = 0; step < level.count;) {
      Whole rest = inner;
      rest.begin += level.stride * step;
      const MappedInterval& interval = intervals_.at(rest.begin.from.value());
      const std::uint64_t end = rest.begin.from.value() + inner_span;
      if (end > interval.end) {
        cut(rest);
        ++step;
        continue;
      }
      const std::uint64_t more = (interval.end - end) / level.stride.from.value();
      const std::uint64_t steps = std::min(level.count - step, more + 1);
      if (steps > 1) rest.levels.insert(rest.levels.begin() + place, {steps, level.stride});
      emit(rest, interval);
      step += steps;
    }
  }

  IntervalCursor& intervals_;
  std::vector<TilePart<To>>& parts_;
};

}  // namespace

template <typename To>
std::vector<TilePart<To>> cut(const Walk<Ends<VariableElements, To>>& walk,
                              const MappingIndex& index) {
  std::vector<TilePart<To>> parts;
  cut(walk, index, parts);
  return parts;
}

template <typename To>
void cut(const Walk<Ends<VariableElements, To>>& walk, const MappingIndex& index,
         std::vector<TilePart<To>>& parts) {
  IntervalCursor intervals(index);
  cut(walk, intervals, parts);
}

template <typename To>
void cut(const Walk<Ends<VariableElements, To>>& walk, IntervalCursor& intervals,
         std::vector<TilePart<To>>& parts) {
  parts.clear();
  Cutter<To>(intervals, parts).cut(walk);
}

template std::vector<TilePart<PackedElements>> cut(
    const Walk<Ends<VariableElements, PackedElements>>& walk, const MappingIndex& index);
template std::vector<TilePart<VariableElements>> cut(
    const Walk<Ends<VariableElements, VariableElements>>& walk, const MappingIndex& index);
template std::vector<TilePart<ShareElements>> cut(
    const Walk<Ends<VariableElements, ShareElements>>& walk, const MappingIndex& index);
template void cut(const Walk<Ends<VariableElements, PackedElements>>& walk,
                  const MappingIndex& index, std::vector<TilePart<PackedElements>>& parts);
template void cut(const Walk<Ends<VariableElements, VariableElements>>& walk,
                  const MappingIndex& index, std::vector<TilePart<VariableElements>>& parts);
template void cut(const Walk<Ends<VariableElements, ShareElements>>& walk,
                  const MappingIndex& index, std::vector<TilePart<ShareElements>>& parts);

template void cut(const Walk<Ends<VariableElements, PackedElements>>& walk,
                  IntervalCursor& intervals, std::vector<TilePart<PackedElements>>& parts);

std::vector<PackedSection> packed(const View& view) {
  std::vector<PackedSection> sections;
  PackedElements begin;
  for (const Section& section : view) {
    std::uint64_t inside = section.elements();
    PackedSection one{section.variable, {{section.walk.begin, begin}}};
    begin += PackedElements(inside);
    for (const auto& level : section.walk.levels) {
      inside /= level.count;
      one.walk.levels.push_back({level.count, {level.stride, PackedElements(inside)}});
    }
    sections.push_back(std::move(one));
  }
  return sections;
}

namespace {

/// The parts of consecutive elements.
void cutRun(const Section& run, const MappingIndex& index, std::vector<TileSection>& sections) {
  if (run.begin() == run.end()) return;
  const MappedInterval* interval = &index.at(run.begin());
  const std::size_t parts = index.numberOf(run.end() - 1) - index.numberOf(run.begin()) + 1;
  if (sections.size() + parts > sections.capacity()) {
    sections.reserve(std::max(sections.size() + parts, 2 * sections.capacity()));
  }
  for (std::uint64_t begin = run.begin(); begin < run.end(); ++interval) {
    const std::uint64_t end = std::min(run.end(), interval->end);
    sections.push_back({interval->tile, contiguous(run.variable, begin, end - begin)});
    begin = end;
  }
}

void cutSection(const Section& section, const MappingIndex& index,
                std::vector<TileSection>& sections) {
  for (const auto& part : cut(packed({section}).front().walk, index)) {
    auto walk = converted<VariableElements>(
        part.walk, [](const auto& ends) { return VariableElements(ends.from.value()); });
    walk.begin = part.begin;
    sections.push_back({part.tile, {section.variable, std::move(walk)}});
  }
}

/// By tile; the order within a tile stays. The sections are large: their numbers are sorted first.
std::vector<TileSection> sorted(std::vector<TileSection> sections) {
  const auto goes_before = [](const TileSection& a, const TileSection& b) {
    return a.tile < b.tile;
  };
  if (std::is_sorted(sections.begin(), sections.end(), goes_before)) return sections;
  std::vector<std::pair<TileId, std::size_t>> order;
  order.reserve(sections.size());
  for (std::size_t s = 0; s < sections.size(); ++s) order.emplace_back(sections[s].tile, s);
  std::sort(order.begin(), order.end());
  std::vector<TileSection> result;
  result.reserve(sections.size());
  for (const auto& [tile, number] : order) result.push_back(std::move(sections[number]));
  return result;
}

}  // namespace

std::vector<TileSection> sectionsByTile(const Graph& graph, const std::vector<Tensor>& tensors) {
  std::vector<TileSection> sections;
  std::map<VariableId, MappingIndex> indices;
  for (const Tensor& tensor : tensors) {
    for (const Section& section : tensor.view()) {
      const MappingIndex& index =
          indices.try_emplace(section.variable, graph.variable(section.variable)).first->second;
      if (section.isRun()) {
        cutRun(section, index, sections);
      } else {
        cutSection(section, index, sections);
      }
    }
  }
  return sorted(std::move(sections));
}

}  // namespace ipusim
