// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ipusim/graph.h"
#include "models/ipu/cost/elementwise/binary_op.h"
#include "models/ipu/cost/reductions/reduce.h"
#include "workloads/ops/placement/column_boxes.h"

namespace ipusim::workloads {

/// Steps on matrices, (rows, columns), whose rows share a statistic, where the matrices lie. Each
/// tile works on the parts of rows that it holds, and only partial sums and vectors of one element
/// per row or per column travel. The vendor's library reduces and broadcasts in this way in any
/// layout, such as that of a product.
/// Source: graphcore/poplibs lib/poplin/Norms.cpp, lib/popops/reduction/Reduction.cpp (MIT).
class DistributedRows {
 public:
  /// The arguments must outlive this object.
  DistributedRows(Graph& graph, const Architecture& machine, Program& program)
      : graph_(graph), machine_(machine), program_(program) {}

  /// Whether a matrix lies as this wants it: in one variable with little padding, and everywhere
  /// with elements of one row, or everywhere with elements of one column, next to each other. Not
  /// for a matrix whose rows follow one another in storage: RowSteps has steps for that.
  static bool takes(const Graph& graph, const Tensor& matrix);

  struct Reduction {
    Tensor matrix;
    models::ReduceOp op;
  };
  /// Reduces each row; all matrices lie alike. `op` reduces what tiles have made of their rows:
  /// Add, Maximum or Minimum. Returns floats, (reductions times rows), with the results of one
  /// reduction behind those of another.
  Tensor reduce(const std::vector<Reduction>& reductions, models::ReduceOp op,
                const std::string& name);

  /// What the elements of a vector stand beside.
  enum class BroadcastAlong : std::uint8_t {
    Rows,     ///< an element of the vector for each row
    Columns,  ///< an element of the vector for each column
  };
  struct Broadcast {
    models::BinaryOp op;  ///< Add, Subtract or Multiply
    Tensor data;
    Tensor vector;
    Tensor out;  ///< lies like `data`, or is `data`
  };
  /// out = data op vector.
  void broadcast(const Broadcast& operands, BroadcastAlong along, const std::string& name);

 private:
  /// A box of some rows, whose elements of a row are next to each other.
  struct RunBox {
    ColumnBox box;
    std::size_t reduction;
  };
  Tensor reduceRuns(const std::vector<RunBox>& boxes, const std::vector<Reduction>& reductions,
                    const std::string& name);

  Graph& graph_;
  const Architecture& machine_;
  Program& program_;
};

}  // namespace ipusim::workloads
