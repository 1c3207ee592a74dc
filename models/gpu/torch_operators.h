// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/gpu/torch_layers.h"
#include "models/gpu/training.h"

// The layers of torch_layers.h written with operators of PyTorch, one by one: no kernel is made for
// them. Every operator is a call of the framework, views included, and a kernel or more.

namespace ipusim::gpu {

/// A stage is a product of weights [1, N/2s, 2, 2, s] with activations [batch, N/2s, 1, 2, s], a
/// sum over the fourth side, and three views.
Program butterflyOperators(const LayerShape& layer);

/// Two transforms, a complex product and a transform back, which copies its input first and scales
/// its result after. The library of transforms has a kernel for each.
Program circulantOperators(const LayerShape& layer);

/// A Hadamard transform is log2(width) stages of a sum, a difference and a stack of the halves,
/// with four views before them and two in the stack; three diagonals and an index beside two
/// transforms.
Program fastfoodOperators(const LayerShape& layer);

/// Two thin products.
Program lowRankOperators(const LayerShape& layer, std::uint64_t rank);

/// An index gathers `blocks_per_row` blocks of the input for each row of blocks; a copy sets rows
/// of blocks apart; one batched product has a matrix for each row of blocks; a copy joins its
/// results; two thin products and a sum add the low-rank pair.
Program pixelflyOperators(const PixelflyShape& shape, std::uint64_t blocks_per_row);

/// The host time of a layer's operators in a training step, counted in elementwise calls: forward,
/// backward, the sum of gradients and the update of its parameters. Dense 3, low-rank 6; fastfood
/// and pixelfly six for each kernel of the forward pass; circulant 20 and a butterfly 14 for each
/// stage beyond a dense layer.
/// Source: processor time of a step with PyTorch 1.13 on a CPU at width 64 and batch 1, over that
/// of an addition in place: 48 dense, 54 low-rank, 67 to 74 circulant, 137 butterfly.
std::uint64_t operatorsInTraining(HiddenLayer kind, std::uint64_t width);

}  // namespace ipusim::gpu
