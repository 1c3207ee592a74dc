// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "workloads/graph/graph.h"

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
  Tensor rows;      ///< (batch, features), consecutive
  Tensor twiddles;  ///< of twiddleShape, consecutive
};

/// Adds to `program` the stages as the op sequence of the PyTorch code executes: in each a product
/// of both operands, broadcast to two values for each input, and a sum over pairs of them; two
/// compute sets. What is between them is spread linearly over the tiles, and operands are sent to
/// where the products lie. Returns the result, (batch, features), which lives always.
Tensor addButterfly(Graph& graph, const models::Machine& machine, const ButterflyShape& shape,
                    const ButterflyOperands& operands, Program& program);

}  // namespace ipusim::workloads
