// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/lower/lowering_size.h"

#include <algorithm>
#include <vector>

#include "workloads/graph/copy_moves.h"
#include "workloads/graph/mapping_index.h"

namespace ipusim::compiler {

namespace {

/// Sums that 64 bits do not hold stay at the largest number.
std::uint64_t saturated(std::uint64_t value, std::uint64_t times) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(value, times, &product) ? ~std::uint64_t{0} : product;
}

class PartCounter {
 public:
  explicit PartCounter(const Graph& graph) : graph_(graph) {
    mappings_.reserve(graph.variables().size());
    for (const Variable& variable : graph.variables()) mappings_.emplace_back(variable);
  }

  std::uint64_t count() {
    for (const CopyStep& copy : graph_.copies()) {
      visitMoveRuns(copy, [this](const MoveRun& run) { add(run); });
    }
    for (const ComputeSet& set : graph_.computeSets()) {
      for (const VertexFamily& family : set.families) add(family);
    }
    for (const RemoteCopy& copy : graph_.remoteCopies()) {
      for (const Tensor::Piece& piece : copy.tensor.pieces()) add(piece);
    }
    return parts_;
  }

 private:
  void add(std::uint64_t parts) {
    if (__builtin_add_overflow(parts_, parts, &parts_)) parts_ = ~std::uint64_t{0};
  }

  void add(const MoveRun& run) {
    const Move& move = run.first;
    const std::uint64_t ends =
        std::max(partsOf({move.from, fromEnd(move.walk)}), partsOf({move.to, toEnd(move.walk)}));
    // Where both ends are cut, the cuts may lie at different elements.
    add(saturated(std::min(2 * ends, std::max<std::uint64_t>(move.walk.elements(), 1)), run.count));
  }

  void add(const VertexFamily& family) {
    for (const Connection& data : family.fields) {
      std::uint64_t parts = 0;
      for (const Section& section : repeated(data.view, family.count, data.step)) {
        parts += isOnTile(section, family.tile) ? 0 : partsOf(section);
      }
      if (parts > 0) add(family.apart ? std::max<std::uint64_t>(parts, family.count) : parts);
    }
  }

  /// The view of a tensor has a part per run of a piece, even on one tile.
  void add(const Tensor::Piece& piece) {
    std::uint64_t elements = 1;
    for (const std::uint64_t extent : piece.extent) elements = saturated(elements, extent);
    if (elements == 0) return;
    const bool has_runs = !piece.extent.empty() && piece.stride.back() == 1;
    const std::uint64_t run = has_runs ? piece.extent.back() : 1;
    const std::uint64_t intervals = graph_.variable(piece.variable).mapping.intervals().size();
    add(saturated(elements / run, std::min<std::uint64_t>(run, intervals)));
  }

  [[nodiscard]] bool isOnTile(const Section& section, TileId tile) const {
    const MappingIndex& mapping = mappings_[indexOf(section.variable)];
    if (section.elements() == 0) return true;
    const MappedInterval& first = mapping.at(section.begin());
    return first.tile == tile && section.end() <= first.end;
  }

  /// One part per run, and one more wherever a run passes from one interval to the next.
  [[nodiscard]] std::uint64_t partsOf(const Section& section) const {
    if (section.elements() == 0) return 0;
    const MappingIndex& mapping = mappings_[indexOf(section.variable)];
    const std::uint64_t passed =
        mapping.numberOf(section.end() - 1) - mapping.numberOf(section.begin()) + 1;
    if (passed == 1) return 1;
    const auto& levels = section.walk.levels;
    const bool has_runs = !levels.empty() && levels.back().stride == VariableElements(1);
    const std::uint64_t run = has_runs ? levels.back().count : 1;
    return saturated(section.elements() / run, std::min(run, passed));
  }

  const Graph& graph_;
  std::vector<MappingIndex> mappings_;
  std::uint64_t parts_ = 0;
};

}  // namespace

std::uint64_t mostPartsOf(const Graph& graph) {
  return PartCounter(graph).count();
}

}  // namespace ipusim::compiler
