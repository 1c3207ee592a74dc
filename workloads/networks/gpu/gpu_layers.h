// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "models/gpu/program.h"

// Layers in the place of a dense one, and the network around them, as the PyTorch code of one paper
// runs them on a GPU. That code is not a graph of these operations: a circulant takes Fourier
// transforms there, and a pixelfly is one call.

namespace ipusim::workloads {

/// `layer` with a bias, which its PyTorch code adds last. The addition is a kernel and a call of
/// its own; only a pixelfly has one call for the whole layer.
gpu::Program withBias(gpu::Program layer, std::uint64_t features, std::uint64_t batch);

/// Training steps of a float network with one hidden layer, in eager PyTorch.
struct TrainingRun {
  std::string hidden;  ///< linear, or a layer in its place: a word of gpu::kHiddenLayerWords
  std::uint64_t features;
  std::uint64_t classes;
  std::uint64_t batch;
  std::uint64_t steps;
};
/// `forward` is the pass through the hidden layer. `parameters` is the number of its parameters,
/// biases included.
gpu::Program gpuTraining(const TrainingRun& run, const gpu::Program& forward,
                         std::uint64_t parameters);

}  // namespace ipusim::workloads
