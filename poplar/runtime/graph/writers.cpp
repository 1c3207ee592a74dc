// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/graph/writers.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "poplar/runtime/graph/section_runs.h"

namespace poplar::detail {

void Writers::add(const ipusim::VertexFamily& family) {
  const auto vertex = static_cast<std::uint32_t>(names_.size());
  names_.push_back(family.type->name);
  for (std::size_t f = 0; f < family.fields.size(); ++f) {
    if (family.type->fields[f].direction == ipusim::FieldDirection::Input) continue;
    for (const ipusim::Section& section : family.fields[f].view) {
      forEachRun(section, [&](const ipusim::Section& run) {
        written_.push_back({ipusim::indexOf(run.variable), run.begin(), run.end(), vertex});
      });
    }
  }
}

std::string Writers::warning(const std::string& compute_set, const ipusim::Graph& graph) {
  std::sort(written_.begin(), written_.end(), [](const Written& a, const Written& b) {
    return std::tie(a.variable, a.begin) < std::tie(b.variable, b.begin);
  });
  std::string first;
  std::uint64_t elements = 0;
  const Written* furthest = nullptr;  // of those before, the one that ends last
  for (const Written& next : written_) {
    const bool is_same = furthest != nullptr && furthest->variable == next.variable;
    const bool overlaps = is_same && next.begin < furthest->end;
    if (overlaps) twice_.insert(static_cast<ipusim::VariableId>(next.variable));
    if (overlaps && next.vertex != furthest->vertex) {
      const std::uint64_t end = std::min(next.end, furthest->end);
      elements += end - next.begin;
      if (first.empty()) {
        first =
            fmt::format("elements [{}, {}) of {} are written by a {} and by a {}", next.begin, end,
                        graph.variable(static_cast<ipusim::VariableId>(next.variable)).name,
                        names_[furthest->vertex], names_[next.vertex]);
      }
    }
    if (!is_same || next.end > furthest->end) furthest = &next;
  }
  if (first.empty()) return "";
  return fmt::format(
      "warning: compute set {}: {}, in no said order ({} elements in all have two writers)",
      compute_set, first, elements);
}

}  // namespace poplar::detail
