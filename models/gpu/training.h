// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/config/words.h"
#include "models/gpu/torch_layers.h"

// A training step of a network with one hidden layer, as eager PyTorch runs it.

namespace ipusim::gpu {

/// The kinds of hidden layer.
enum class HiddenLayer : std::uint8_t { Dense, LowRank, Circulant, Fastfood, Pixelfly, Butterfly };

constexpr Words<HiddenLayer, 6> kHiddenLayerWords{{{HiddenLayer::Dense, "linear"},
                                                   {HiddenLayer::LowRank, "low_rank"},
                                                   {HiddenLayer::Circulant, "circulant"},
                                                   {HiddenLayer::Fastfood, "fastfood"},
                                                   {HiddenLayer::Pixelfly, "pixelfly"},
                                                   {HiddenLayer::Butterfly, "butterfly"}}};

/// A hidden layer, and what its training takes.
struct TrainedLayer {
  Program forward;
  std::uint64_t operations;  ///< device operations, forward and backward
  std::uint64_t parameters;  ///< parameters of the hidden layer, biases included
};

/// The device operations of a layer in one step, forward and backward, as counted for eager
/// PyTorch: dense 3, low-rank 6, circulant 11, fastfood 16, pixelfly 24, butterfly 3 + 6
/// log2(width).
std::uint64_t trainingOperations(HiddenLayer kind, std::uint64_t width);

/// The layer at its usual shape: rank 1 for a low-rank layer, usualPixelfly for a pixelfly. Each
/// layer has a bias. A butterfly has two, its own and that of the class around it, because the
/// parameters of arXiv 2309.08946, Table 4, need both.
/// Calibrated: no.
TrainedLayer trainedLayer(HiddenLayer kind, const LayerShape& layer);

/// A pixelfly of another shape.
TrainedLayer trainedPixelfly(const PixelflyShape& shape);

/// One training step: forward, loss, backward, and the update of the parameters by gradient descent
/// with momentum. `layer` is the shape of the hidden layer. `classes` is the width of the output,
/// whose weights and bias are added to the parameters of `hidden`.
///
/// The time is that of the host, training_step_host_seconds x trainingFactor, unless the kernels
/// take longer. The kernels are: the forward kernels three times, because the gradients of inputs
/// and of parameters are of their size; the products of the output layer; and passes for
/// activation, loss and update.
/// Calibrated: the host's time and its growth, on arXiv 2309.08946, Table 4, read as 100 epochs of
/// 850 steps, which the paper does not state.
/// Valid for: relative times within 6 %.
Program trainingStep(const TrainedLayer& hidden, const LayerShape& layer, std::uint64_t classes);

}  // namespace ipusim::gpu
