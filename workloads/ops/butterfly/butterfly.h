// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ipusim/graph.h"
#include "workloads/ops/placement/op_result.h"

namespace ipusim::workloads {

/// Whether the blocks of a stage have one set of twiddles or one each.
enum class Twiddles : std::uint8_t { Tied, Untied };

/// Whether the stride of a stage doubles from one to the next, from 1 on, or halves, down to 1.
enum class StageOrder : std::uint8_t { Increasing, Decreasing };

/// A butterfly layer on `features`, a power of two from 2 on: log2 of it stages. In the stage of
/// stride s a row is (features / 2s, 2, s), and
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

/// The strides of the stages in the order they run.
std::vector<std::uint64_t> stridesOf(const ButterflyShape& shape);

/// How the twiddles are stored. Tied: (features - 1, 2, 2), stride s from row s - 1 on. Untied:
/// (log2 features, features / 2, 2, 2), stride 1 first, whatever the order.
Shape twiddleShape(const ButterflyShape& shape);

/// First element of the stored twiddles of the stage of `stride`.
std::uint64_t firstTwiddle(const ButterflyShape& shape, std::uint64_t stride);

/// What the stages work on.
struct ButterflyOperands {
  ButterflyShape shape;
  Tensor rows;      ///< (batch, features), consecutive
  Tensor twiddles;  ///< of twiddleShape, consecutive
};

/// The result of the stages, and what the backward pass needs again.
struct ButterflyPass {
  Tensor result;                   ///< (batch, features), consecutive
  std::vector<Tensor> stage_rows;  ///< what each stage worked on, in the order they ran
};

/// Adds to `program` the stages as the op sequence of the PyTorch code executes: in each a product
/// of both operands, broadcast to two values for each input, and a sum over pairs of them; two
/// compute sets beside the copies that lay operands out. What is between them is spread linearly
/// over the tiles.
ButterflyPass addButterfly(Graph& graph, const Architecture& machine,
                           const ButterflyOperands& operands, const OpResult& result,
                           Program& program);

/// What the backward pass works on.
struct ButterflyBackward {
  ButterflyShape shape;
  std::vector<Tensor> stage_rows;  ///< of the forward pass
  Tensor twiddles;
  Tensor gradient;  ///< of the result, (batch, features), consecutive
};

/// Adds the backward pass as far as the twiddles, as autograd runs it: for each stage, from the
/// last on, the product of gradient and stage input, summed over all that share a twiddle, and, but
/// for the first, the gradient of the stage input, a product and a sum of pairs; then the gradients
/// of the stages, each padded with zeros to all twiddles, added up. The result is of twiddleShape,
/// consecutive, spread linearly.
Tensor addButterflyGradient(Graph& graph, const Architecture& machine,
                            const ButterflyBackward& operands, const std::string& name,
                            Program& program);

}  // namespace ipusim::workloads
