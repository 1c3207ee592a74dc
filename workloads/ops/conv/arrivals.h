// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ipusim/graph.h"
#include "workloads/ops/placement/tile_transposes.h"

namespace ipusim::workloads {

/// Matrices that arrive in one place of a tile, and are transposed to another. Both have one
/// dimension and consecutive elements.
struct TurnedShare {
  TileMatrices matrices;
  Tensor arrived;
  Tensor to;
};

/// Fills tensors from views in which one element stands for all zeros.
class Arrivals {
 public:
  /// `zero` has that one element.
  explicit Arrivals(Tensor zero) : zero_(std::move(zero)) {}

  /// True for a piece of a view that is zeros.
  [[nodiscard]] bool isZero(const Tensor::Piece& piece) const;

  /// Adds what fills `to`, which has the shape of `from` and one piece.
  void add(const Tensor& from, const Tensor& to);

  /// Adds what fills a share with `from`, (matrices, columns, rows).
  void addTurned(const Tensor& from, TurnedShare share);

  /// Adds zeros only: what is not zero is there already.
  void addZeros(const Tensor& from, const Tensor& to);

  /// Adds at most one copy, one step that clears, and one that transposes. May be called once.
  void addSteps(Graph& graph, const Architecture& machine, const std::string& name,
                Program& program);

 private:
  Tensor zero_;
  std::vector<MoveRun> moves_;
  std::vector<Tensor> zeros_;
  std::vector<TurnedShare> turned_;
};

}  // namespace ipusim::workloads
