// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ipusim/graph.h"
#include "workloads/ops/placement/op_result.h"

namespace ipusim::workloads {

/// Whether the blocks of a stage share one set of twiddles or have one set per block.
enum class Twiddles : std::uint8_t { Tied, Untied };

/// Whether the stride doubles from one stage to the next, from 1 on, or halves, down to 1.
enum class StageOrder : std::uint8_t { Increasing, Decreasing };

/// A butterfly layer on `features`, a power of two from 2 on. It has log2(features) stages. In the
/// stage of stride s a row has the shape (features / 2s, 2, s), and
///
///   y[q, o, j] = t[q, j, o, 0] x[q, 0, j] + t[q, j, o, 1] x[q, 1, j],   tied: the same t for all q
///
/// Source: T. Dao et al., Learning Fast Algorithms for Linear Transforms Using Butterfly
/// Factorizations; HazyResearch/structured-nets.
struct ButterflyShape {
  std::uint64_t features;
  Twiddles twiddles;
  StageOrder order;
};

/// The strides of the stages, in the order in which they run.
std::vector<std::uint64_t> stridesOf(const ButterflyShape& shape);

/// The shape of the stored twiddles. Tied: (features - 1, 2, 2); stride s begins at row s - 1.
/// Untied: (log2 features, features / 2, 2, 2); stride 1 comes first, whatever the order of the
/// stages.
Shape twiddleShape(const ButterflyShape& shape);

/// The first element of the stored twiddles for the stage of `stride`.
std::uint64_t firstTwiddle(const ButterflyShape& shape, std::uint64_t stride);

/// The operands of the stages.
struct ButterflyOperands {
  ButterflyShape shape;
  Tensor rows;      ///< (batch, features), consecutive
  Tensor twiddles;  ///< with the shape of twiddleShape, consecutive
};

/// The result of the stages, and what the backward pass needs.
struct ButterflyPass {
  Tensor result;                   ///< (batch, features), consecutive
  std::vector<Tensor> stage_rows;  ///< the rows that each stage read, in the order of the stages
};

/// Adds the stages to `program`, with the op sequence that the PyTorch code executes. A stage has a
/// product of both operands, broadcast to two values per input, and a sum over pairs of these
/// values. That is two compute sets, besides the copies that lay out operands. Intermediate results
/// are spread linearly over the tiles.
ButterflyPass addButterfly(Graph& graph, const Architecture& machine,
                           const ButterflyOperands& operands, const OpResult& result,
                           Program& program);

/// The operands of the backward pass.
struct ButterflyBackward {
  ButterflyShape shape;
  std::vector<Tensor> stage_rows;  ///< rows of the forward pass
  Tensor twiddles;
  Tensor gradient;          ///< gradient of the result, (batch, features), consecutive
  bool wants_rows = false;  ///< also the gradient of the rows
};

struct ButterflyGradients {
  Tensor twiddles;  ///< with the shape of twiddleShape, consecutive, spread linearly
  Tensor rows;      ///< (batch, features), consecutive, where it is wanted
};

/// Adds the backward pass, as autograd runs it. For each stage, from the last on, it has the
/// product of gradient and stage input, summed over all that share a twiddle. All stages but the
/// first also have the gradient of the stage input, which is a product and a sum of pairs. The
/// first one has it where the gradient of the rows is wanted. At the end the gradients of the
/// stages, each padded with zeros to all twiddles, are summed.
ButterflyGradients addButterflyGradient(Graph& graph, const Architecture& machine,
                                        const ButterflyBackward& operands, const std::string& name,
                                        Program& program);

}  // namespace ipusim::workloads
