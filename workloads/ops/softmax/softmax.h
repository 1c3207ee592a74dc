// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/ops/placement/op_result.h"
#include "workloads/ops/rows/row_steps.h"

// Softmax along the rows of a matrix, (rows, columns) of any layout, which is first copied to where
// it is worked on. Elementwise steps and reductions make it up, as in the vendor's library.
// Source: graphcore/poplibs lib/popnn/NonLinearity.cpp (MIT), in its stable form; log softmax:
// graphcore/popart willow/src/popx/op/logsoftmaxx.cpp (MIT).

namespace ipusim::workloads {

/// Subtracts from each row its maximum, so that no exponent overflows.
void subtractMaxima(RowSteps& rows, const Tensor& matrix, const std::string& name);

enum class SoftmaxForm : std::uint8_t { Plain, Logarithm };

struct SoftmaxOperand {
  SoftmaxForm form;
  Tensor x;
};
/// Adds the steps of a softmax, or of its logarithm. Returns (rows, columns).
Tensor addSoftmax(Graph& graph, const Architecture& machine, const SoftmaxOperand& operand,
                  const OpResult& result, Program& program);

/// What the gradient is computed from: the result of the forward pass and its gradient.
struct SoftmaxResult {
  SoftmaxForm form;
  Tensor y;
  Tensor gradient;
};

/// Adds the steps of the gradient by the operand: y (dy - sum y dy), or dy - exp(y) sum dy for the
/// logarithm. Returns (rows, columns).
Tensor addSoftmaxGradient(Graph& graph, const Architecture& machine, const SoftmaxResult& of,
                          const OpResult& result, Program& program);

}  // namespace ipusim::workloads
