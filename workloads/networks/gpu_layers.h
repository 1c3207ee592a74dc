// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ipusim/element_type.h"
#include "models/gpu/program.h"
#include "workloads/ops/sparse/pattern.h"

// What workloads do on a GPU. None for half operands: the GPU model has no FP16.

namespace ipusim::workloads {

/// An operator that reads `operands` tensors of `elements` and writes one, as one kernel.
struct MapShape {
  std::uint64_t elements;
  std::uint64_t operands;
  std::uint64_t flops_per_element;
};
std::optional<gpu::Program> gpuMap(ElementType type, const MapShape& map);

/// A sparse matrix in compressed rows, or in blocks from an edge of 4 on, times [columns of the
/// pattern, n].
std::optional<gpu::Program> gpuSparseMatmul(ElementType type, const SparsePattern& pattern,
                                            std::uint64_t n);

/// The same layer with a bias, which its PyTorch code adds last: a kernel, and a call of its own
/// but for a pixelfly, whose one call is the whole layer.
gpu::Program withBias(gpu::Program layer, std::uint64_t features, std::uint64_t batch);

/// A butterfly layer by eager PyTorch.
struct ButterflyLayerShape {
  std::uint64_t features;
  std::uint64_t batch;
  bool has_bias;
};
std::optional<gpu::Program> gpuButterfly(ElementType type, const ButterflyLayerShape& layer);

/// Steps of training a float network with one hidden layer, by eager PyTorch.
struct TrainingRun {
  std::string hidden;  ///< linear, or what stands in its place: gpu::kHiddenLayerWords
  std::uint64_t features;
  std::uint64_t classes;
  std::uint64_t batch;
  std::uint64_t steps;
};
/// `forward` is the pass through the hidden layer, which has `parameters`, its biases among them.
gpu::Program gpuTraining(const TrainingRun& run, const gpu::Program& forward,
                         std::uint64_t parameters);

}  // namespace ipusim::workloads
