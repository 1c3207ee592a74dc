// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "ipusim/graph.h"
#include "workloads/ops/placement/op_result.h"
#include "workloads/ops/placement/ranges.h"
#include "workloads/ops/pooling/pool_plan.h"

// Pooling of tensors (samples, channels, field...) of any layout. The operands are copied to the
// tiles of the plan, each of which has one vertex.
// Source: graphcore/poplibs lib/popnn/Pooling.cpp (MIT).

namespace ipusim::workloads {

/// The planes and the blocks of field and positions on one tile. Dimension 0 of a box is the
/// planes.
struct TileBlock {
  std::vector<Range> results;
  std::vector<Range> operands;
  WindowBlock block;
};

/// The steps of one pooling or of its gradient. The arguments of the constructor must outlive this
/// object.
class PoolingSteps {
 public:
  PoolingSteps(Graph& graph, const Architecture& machine, PoolWindow window, OpResult result,
               Program& program)
      : graph_(graph),
        machine_(machine),
        window_(std::move(window)),
        result_(std::move(result)),
        program_(program) {}

  /// The maxima of windows: (samples, channels, positions...).
  Tensor addMaximum(const Tensor& x);
  /// The gradient of x. A gradient goes to every element that equals the maximum of its window.
  Tensor addMaximumGradient(const Tensor& x, const Tensor& y, const Tensor& gradient);
  /// The sums of windows, times a factor; and backward the sums of the windows that an element is
  /// in.
  Tensor addSum(const Tensor& operand, PoolingDirection direction, double factor);

 private:
  struct PoolingOperand {
    Tensor tensor;
    bool is_result_side;  ///< has the shape of the result
  };
  Tensor add(PoolingVertexShape shape, const std::vector<PoolingOperand>& operands);
  void addVertices(PoolingVertexShape shape, const std::vector<TileBlock>& tiles,
                   const std::vector<std::vector<Tensor>>& fields);

  Graph& graph_;
  const Architecture& machine_;
  PoolWindow window_;
  OpResult result_;
  Program& program_;
};

}  // namespace ipusim::workloads
