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
struct TransposedShare {
  TileMatrices matrices;
  Tensor arrived;
  Tensor to;
};

/// One element that stands for all zeros in views. It is of a variable that no graph has, so that
/// it reaches no step unnoticed.
Tensor zeroFor(ElementType type);

/// One element that stands in views for padding which may hold anything. Nothing fills it.
Tensor anythingFor(ElementType type);

/// A tensor of one piece that stands for any data, of a variable that no graph has either. Views of
/// it show where zeros come to lie.
Tensor anyData(ElementType type, const Shape& shape);

/// Fills tensors from views with the elements of zeroFor and anythingFor.
class Arrivals {
 public:
  /// True for a piece of a view that is no data.
  [[nodiscard]] static bool isPadding(const Tensor::Piece& piece);

  /// Adds what fills `to`, which has the shape of `from` and one piece.
  void add(const Tensor& from, const Tensor& to);

  /// Adds what fills a share with `from`, (matrices, columns, rows).
  void addTransposed(const Tensor& from, TransposedShare share);

  /// Adds zeros only: what is not zero is there already.
  void addZeros(const Tensor& from, const Tensor& to);

  /// Adds at most one copy, one step that clears, and one that transposes. May be called once.
  void addSteps(Graph& graph, const Architecture& machine, const std::string& name,
                Program& program);

 private:
  std::vector<MoveRun> moves_;
  std::vector<Tensor> zeros_;
  std::vector<TransposedShare> transposed_;
};

}  // namespace ipusim::workloads
