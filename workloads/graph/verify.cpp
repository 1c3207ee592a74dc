// SPDX-License-Identifier: Apache-2.0
#include "ipusim/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "ipusim/error.h"
#include "workloads/graph/mapping_index.h"

namespace ipusim {

namespace {

void verifyMapping(const Variable& variable, std::uint32_t tiles) {
  const MappingIndex index(variable);
  for (const MappedInterval& interval : index.intervals()) {
    if (interval.tile < TileId(tiles)) continue;
    throw GraphError(fmt::format("variable {}: wanted a tile below {}, found tile {}",
                                 variable.name, tiles, interval.tile.tile()));
  }
}

/// Consecutive elements that one vertex writes.
struct WrittenRun {
  VariableId variable;
  std::uint32_t family;
  std::uint32_t vertex;  ///< index in the family
  std::uint64_t begin;
  std::uint64_t end;

  [[nodiscard]] bool isOfVertex(const WrittenRun& other) const {
    return family == other.family && vertex == other.vertex;
  }
};

/// All that the vertices of a compute set write.
class Writes {
 public:
  explicit Writes(const ComputeSet& set) {
    std::uint64_t runs = 0;
    for (const VertexFamily& family : set.families) runs += runsOf(family);
    runs_.reserve(runs);
    for (std::uint32_t f = 0; f < set.families.size(); ++f) addFamily(f, set.families[f]);
    std::sort(runs_.begin(), runs_.end(), [](const WrittenRun& a, const WrittenRun& b) {
      return std::tie(a.variable, a.begin) < std::tie(b.variable, b.begin);
    });
  }

  /// Two runs of different vertices that share an element, or null pointers when there are none.
  [[nodiscard]] std::pair<const WrittenRun*, const WrittenRun*> clash() const {
    const WrittenRun* furthest = nullptr;
    for (const WrittenRun& run : runs_) {
      const bool meets = furthest != nullptr && furthest->variable == run.variable &&
                         run.begin < furthest->end && run.begin < run.end;
      if (meets && !furthest->isOfVertex(run)) return {furthest, &run};
      if (!meets || run.end > furthest->end) furthest = &run;
    }
    return {nullptr, nullptr};
  }

 private:
  /// How many runs addFamily() adds.
  static std::uint64_t runsOf(const VertexFamily& family) {
    std::uint64_t runs = 0;
    for (std::size_t f = 0; f < family.fields.size(); ++f) {
      if (family.type->fields[f].direction == FieldDirection::Input) continue;
      for (const Section& section : family.fields[f].view) {
        std::uint64_t of_section = family.count;
        const auto& levels = section.walk.levels;
        for (std::size_t l = 0; l < levels.size(); ++l) {
          const bool is_run = l + 1 == levels.size() && levels[l].stride == VariableElements(1);
          if (!is_run) of_section *= levels[l].count;
        }
        runs += of_section;
      }
    }
    return runs;
  }

  void addFamily(std::uint32_t number, const VertexFamily& family) {
    for (std::size_t f = 0; f < family.fields.size(); ++f) {
      if (family.type->fields[f].direction == FieldDirection::Input) continue;
      for (std::uint32_t v = 0; v < family.count; ++v) {
        for (const Section& section : family.fields[f].view) {
          const std::uint64_t begin = section.begin() + v * family.fields[f].step;
          addLevels({section.variable, number, v, begin, begin + 1}, section, 0);
        }
      }
    }
  }

  /// Adds the elements of the levels of `section` from `level` on. `first` is where they start.
  void addLevels(WrittenRun first, const Section& section, std::size_t level) {
    const auto& levels = section.walk.levels;
    const bool is_run = level + 1 == levels.size() && levels[level].stride == VariableElements(1);
    if (is_run) first.end = first.begin + levels[level].count;
    if (is_run || level == levels.size()) {
      runs_.push_back(first);
      return;
    }
    for (std::uint64_t i = 0; i < levels[level].count; ++i) {
      addLevels(first, section, level + 1);
      first.begin += levels[level].stride.value();
      first.end = first.begin + 1;
    }
  }

  std::vector<WrittenRun> runs_;
};

std::string nameOf(const ComputeSet& set, const WrittenRun& run) {
  const VertexFamily& family = set.families[run.family];
  return fmt::format("vertex {} on tile {}", family.type->name, family.tile.tile());
}

/// Elements around all that one field of a family writes.
struct Span {
  VariableId variable;
  std::uint64_t begin;
  std::uint64_t end;
};

/// The span of a section of a family whose vertices write one after the other. None when the parts
/// of two vertices may meet.
std::optional<Span> spanOf(const Section& section, std::uint64_t step, std::uint32_t count) {
  const std::uint64_t begin = section.begin();
  const std::uint64_t end = section.end();
  const std::uint64_t others = count - 1;
  if (others == 0) return Span{section.variable, begin, end};
  const bool is_apart = end - begin <= step && step <= (~std::uint64_t{0} - end) / others;
  if (!is_apart) return std::nullopt;
  return Span{section.variable, begin, end + others * step};
}

/// Adds the spans of what `family` writes. False when a section has none.
bool addSpans(const VertexFamily& family, std::vector<Span>& spans) {
  for (std::size_t f = 0; f < family.fields.size(); ++f) {
    if (family.type->fields[f].direction == FieldDirection::Input) continue;
    for (const Section& section : family.fields[f].view) {
      const auto span = spanOf(section, family.fields[f].step, family.count);
      if (!span) return false;
      spans.push_back(*span);
    }
  }
  return true;
}

/// True when even the spans of all that the vertices write are apart. Then no two vertices write
/// the same element, and their runs need not be compared.
bool areSurelyApart(const ComputeSet& set) {
  std::vector<Span> spans;
  spans.reserve(set.families.size());
  for (const VertexFamily& family : set.families) {
    if (!addSpans(family, spans)) return false;
  }
  const auto comes_before = [](const Span& a, const Span& b) {
    return std::tie(a.variable, a.begin) < std::tie(b.variable, b.begin);
  };
  if (!std::is_sorted(spans.begin(), spans.end(), comes_before)) {
    std::sort(spans.begin(), spans.end(), comes_before);
  }
  return std::adjacent_find(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
           return a.variable == b.variable && b.begin < a.end;
         }) == spans.end();
}

}  // namespace

void verifyWriters(const Graph& graph, const ComputeSet& set) {
  if (areSurelyApart(set)) return;
  const Writes writes(set);
  const auto [first, second] = writes.clash();
  if (first == nullptr) return;
  throw GraphError(fmt::format(
      "compute set {}: wanted one writer for element {} of variable {}, found {} and {}", set.name,
      second->begin, graph.variable(second->variable).name, nameOf(set, *first),
      nameOf(set, *second)));
}

void verify(const Graph& graph, std::uint32_t tiles) {
  for (const Variable& variable : graph.variables()) verifyMapping(variable, tiles);
  for (const ComputeSet& set : graph.computeSets()) {
    for (const VertexFamily& family : set.families) {
      if (family.tile < TileId(tiles)) continue;
      throw GraphError(
          fmt::format("vertex {} of compute set {}: wanted a tile below {}, found tile {}",
                      family.type->name, set.name, tiles, family.tile.tile()));
    }
    verifyWriters(graph, set);
  }
}

}  // namespace ipusim
