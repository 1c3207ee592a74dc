// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ipusim/graph.h"

namespace ipusim::workloads {

/// Elements [begin, end) of a view, in row-major order, that a tile reads.
struct Need {
  TileId tile;
  std::uint64_t begin;
  std::uint64_t end;
};

/// A view where it is read. Need i is the elements from offsets[i] on of `elements`.
struct LocalOperand {
  Tensor elements;  ///< with one dimension
  std::vector<std::uint64_t> offsets;

  /// `count` elements of need `need`, after the first `skip` ones.
  [[nodiscard]] View part(std::size_t need, std::uint64_t skip, std::uint64_t count) const;
};

/// Operands of one compute set that repeat or reorder elements. A tile gets what it needs of an
/// operand once, in pieces that are consecutive in storage, and then lays it out on the spot. The
/// vendor's compiler arranges a broadcast operand in these two copies ("OnTileCopy" in recorded
/// profiles). Consecutive operands stay where they are: the compute set's own exchange sends them.
class LocalOperands {
 public:
  LocalOperands(Graph& graph, std::string name) : graph_(graph), name_(std::move(name)) {}

  /// Notes that tiles read parts of `view`.
  LocalOperand bring(const Tensor& view, const std::vector<Need>& needs);

  /// Adds the steps that bring all noted parts: at most one exchange and one set of copies on
  /// tiles.
  void addSteps(Program& program);

 private:
  Graph& graph_;
  std::string name_;
  std::vector<MoveRun> arrivals_;
  std::vector<MoveRun> orders_;
};

}  // namespace ipusim::workloads
