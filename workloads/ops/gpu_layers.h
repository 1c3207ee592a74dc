// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ipusim/element_type.h"
#include "models/gpu/program.h"
#include "workloads/ops/sparse/pattern.h"

// The programs of workloads on a GPU. There is none for half operands of sparse products and of
// butterflies: their kernels are modelled in FP32 only.

namespace ipusim::workloads {

/// An operator that reads `operands` tensors of `elements` elements and writes one tensor, as one
/// kernel.
struct MapShape {
  std::uint64_t elements;
  std::uint64_t operands;
  std::uint64_t flops_per_element;
};
std::optional<gpu::Program> gpuMap(ElementType type, const MapShape& map);

/// A sparse matrix times a dense one, [columns of the pattern, n]. The sparse matrix has compressed
/// rows, or blocks when their edge is at least 4.
std::optional<gpu::Program> gpuSparseMatmul(ElementType type, const SparsePattern& pattern,
                                            std::uint64_t n);

/// `layer` with a bias, which its PyTorch code adds last. The addition is a kernel and a call of
/// its own; only a pixelfly has one call for the whole layer.
gpu::Program withBias(gpu::Program layer, std::uint64_t features, std::uint64_t batch);

/// A butterfly layer in eager PyTorch.
struct ButterflyLayerShape {
  std::uint64_t features;
  std::uint64_t batch;
  bool has_bias;
};
std::optional<gpu::Program> gpuButterfly(ElementType type, const ButterflyLayerShape& layer);

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
