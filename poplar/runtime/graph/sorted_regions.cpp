// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "poplar/exceptions.hpp"
#include "poplar/runtime/graph/section_runs.h"
#include "poplar/runtime/graph/tensor_data.h"

namespace poplar::detail {

namespace {

using ipusim::Section;

/// Elements of a variable that follow one another, and the place of the first in the flattened
/// tensor; both count elements of the variable.
struct VariableRun {
  ipusim::VariableId variable;
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t at;
};

void appendRuns(const TensorData& tensor, std::size_t begin, std::size_t end,
                std::vector<VariableRun>& runs) {
  if (begin > end || end > tensor.elements()) {
    throw index_error(("getSortedContiguousRegions: wanted ranges of " + tensor.text()).c_str());
  }
  if (begin == end) return;
  std::uint64_t at = begin * tensor.unit;
  for (const Section& section : tensor.view.flatView(begin * tensor.unit, end * tensor.unit)) {
    forEachRun(section, [&](const Section& run) {
      const bool goes_on = !runs.empty() && runs.back().variable == run.variable &&
                           runs.back().end == run.begin() &&
                           runs.back().at + (runs.back().end - runs.back().begin) == at;
      if (goes_on) {
        runs.back().end = run.end();
      } else {
        runs.push_back({run.variable, run.begin(), run.end(), at});
      }
      at += run.elements();
    });
  }
}

/// The runs of all ranges in the order of the variables.
std::vector<VariableRun> sortedRuns(const TensorData& tensor, const Ranges& ranges) {
  std::vector<VariableRun> runs;
  for (std::size_t r = 0; r < ranges.count; ++r) {
    appendRuns(tensor, ranges.bounds[2 * r], ranges.bounds[2 * r + 1], runs);
  }
  std::stable_sort(runs.begin(), runs.end(), [](const VariableRun& a, const VariableRun& b) {
    return std::tie(a.variable, a.begin) < std::tie(b.variable, b.begin);
  });
  return runs;
}

}  // namespace

void sortedRegions(const TensorData* tensor, const Ranges& ranges, void* to,
                   void (*add)(void* to, bool is_next, std::size_t begin, std::size_t end)) {
  std::optional<ipusim::VariableId> last;
  std::uint64_t end = 0;  // of what came of variable `last`
  for (const VariableRun& run : sortedRuns(*tensor, ranges)) {
    const bool is_same = last == run.variable;
    const std::uint64_t known =
        ranges.without_aliases && is_same ? std::max(end, run.begin) : run.begin;
    if (known >= run.end) continue;
    const std::size_t at = run.at + (known - run.begin);
    add(to, is_same && end == known, at / tensor->unit, (at + run.end - known) / tensor->unit);
    end = run.end;
    last = run.variable;
  }
}

}  // namespace poplar::detail
