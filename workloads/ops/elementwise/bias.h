// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/graph.h"
#include "models/ipu/cost/elementwise/binary_op.h"

namespace ipusim::workloads {

/// out = data op vector, where the vector, (n), stands beside every row of `data`, (..., n). `out`
/// lies like `data`, or is `data`.
struct VectorBroadcast {
  models::BinaryOp op;  ///< Add, Subtract or Multiply
  Tensor data;
  Tensor vector;
  Tensor out;
};

/// Adds one compute set to `program`. A tile has one vertex per box of elements that it holds of
/// `data`. The vertex repeats its part of the vector over rows or columns. When nothing is repeated
/// it is a plain operator.
/// Source: graphcore/poplibs lib/popops/ElementWise.cpp (MIT), broadcast patterns.
void addVectorBroadcast(Graph& graph, const VectorBroadcast& operands, const std::string& name,
                        Program& program);

/// Adds to `program` one compute set that adds `bias`, (n), to every row of `rows`, (m, n), in
/// place and where the rows lie.
void addBias(Graph& graph, const Tensor& rows, const Tensor& bias, const std::string& name,
             Program& program);
/// The product in place of the sum.
void multiplyByRow(Graph& graph, const Tensor& rows, const Tensor& factors, const std::string& name,
                   Program& program);

}  // namespace ipusim::workloads
