// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "poplar/runtime/graph/graph_state.h"

// Checks of what a file says, so that one that was made to do harm is an error and nothing else.
// All throw ConfigError, or an error of a graph, with one line.

namespace poplar::detail {

/// Throws `a file without {wanted}` where that does not hold.
void expect(bool holds, const char* wanted);

/// The machine has numbers that a simulation has room for.
void checkTarget(const TargetData& target);

/// Intervals of a variable: in order, apart, and on tiles of the target.
void checkIntervals(const ipusim::Variable& variable,
                    const std::vector<ipusim::MappedInterval>& intervals, std::uint32_t tiles);

/// Variables of a file, and what lies in them.
class SavedVariables {
 public:
  /// `state` must outlive this.
  explicit SavedVariables(const GraphState& state) : state_(state) {}

  /// Pieces of a tensor: inside the tensor and inside variables of its type.
  void check(ipusim::ElementType type, const ipusim::Shape& shape,
             const std::vector<ipusim::Tensor::Piece>& pieces) const;
  /// The elements of the type of a tensor are those of its view.
  static void check(const TensorData& tensor);
  void check(const ipusim::VertexFamily& family) const;
  void check(const ipusim::Move& move) const;

 private:
  [[nodiscard]] const ipusim::Variable& variable(ipusim::VariableId id) const;
  /// The sections of `count` vertices lie inside their variable. Each begins `step` elements after
  /// the one before.
  void checkSection(const ipusim::Section& section, ipusim::Bytes element, std::uint64_t step,
                    std::uint64_t count) const;
  void checkBytes(std::uint64_t elements, ipusim::Bytes element) const;

  const GraphState& state_;
};

/// All numbers by which the parts of a graph name one another.
void checkState(const GraphState& state);
/// The number by which a step names a part of the graph.
void checkNumbers(const ProgramData& step, const GraphState& state);

}  // namespace poplar::detail
