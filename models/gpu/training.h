// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/words.h"
#include "models/gpu/torch_layers.h"

// A training step of a network with one hidden layer, as eager PyTorch runs it.

namespace ipusim::gpu {

/// What may stand in the place of the hidden layer.
enum class HiddenLayer : std::uint8_t { Dense, LowRank, Circulant, Fastfood, Pixelfly, Butterfly };

constexpr Words<HiddenLayer, 6> kHiddenLayerWords{{{HiddenLayer::Dense, "linear"},
                                                   {HiddenLayer::LowRank, "low_rank"},
                                                   {HiddenLayer::Circulant, "circulant"},
                                                   {HiddenLayer::Fastfood, "fastfood"},
                                                   {HiddenLayer::Pixelfly, "pixelfly"},
                                                   {HiddenLayer::Butterfly, "butterfly"}}};

/// A hidden layer, and what training it takes.
struct TrainedLayer {
  Program forward;
  std::uint64_t operations;  ///< of the device, forward and backward
  std::uint64_t parameters;  ///< of the hidden layer, its biases among them
};

/// Operations of the device that a layer makes in a step, forward and backward: our count for eager
/// PyTorch, 3 of a dense layer, 6 low-rank, 11 circulant, 16 fastfood, 24 pixelfly, 3 + 6
/// log2(width) of a butterfly.
std::uint64_t trainingOperations(HiddenLayer kind, std::uint64_t width);

/// The layer at its usual shape: rank 1 of a low-rank one, usualPixelfly of a pixelfly. Each has a
/// bias; a butterfly has two, its own and that of the class around it, as the parameters of arXiv
/// 2309.08946, Table 4, want. Calibrated: no.
TrainedLayer trainedLayer(HiddenLayer kind, const LayerShape& layer);

/// A pixelfly of another shape.
TrainedLayer trainedPixelfly(const PixelflyShape& shape);

/// One step: forward, loss, backward and the update of the parameters by gradient descent with
/// momentum. `layer` is the shape of the hidden layer, `classes` the width of the output, whose
/// weights and bias are added to the parameters of `hidden`.
///
/// Its time is that of the host, training_step_host_seconds x trainingFactor, unless the kernels
/// take longer. Those are the forward kernels three times (the gradients of inputs and of
/// parameters are of their size), the products of the output layer, and passes for activation, loss
/// and update. Calibrated: the host's time and its growth, on arXiv 2309.08946, Table 4, read as
/// 100 epochs of 850 steps, which the paper does not say. Valid for: relative times within 6 %.
Program trainingStep(const TrainedLayer& hidden, const LayerShape& layer, std::uint64_t classes);

}  // namespace ipusim::gpu
