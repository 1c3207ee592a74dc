// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/training.h"

#include <algorithm>

#include "base/numbers/powers_of_two.h"
#include "ipusim/error.h"

namespace ipusim::gpu {
namespace {

constexpr std::uint64_t kTrainingElementBytes = 4;
constexpr std::uint64_t kDenseOperations = 3;
/// The backward pass has two kernels for each forward kernel, both of its size.
constexpr int kPasses = 3;
/// Bias, activation and their gradients: each is a pass over the hidden activations.
constexpr int kActivationPasses = 4;
/// Softmax, its logarithm, the loss, and their gradients.
constexpr int kLossPasses = 6;
/// Momentum and update read parameters, gradients and velocities, and write two of them.
constexpr std::uint64_t kUpdateReads = 3;
constexpr std::uint64_t kUpdateWrites = 2;
/// Parameters, gradients and velocities.
constexpr std::uint64_t kParameterCopies = 3;

Bytes floats(std::uint64_t count) {
  return Bytes(kTrainingElementBytes * count);
}

std::uint64_t pixelflyParameters(const PixelflyShape& shape) {
  const std::uint64_t width = shape.layer.width;
  return width * pixelflyBlocksPerRow(shape) * shape.block + 2 * width * shape.rank + width;
}

void append(const Program& program, std::vector<Kernel>& kernels) {
  for (const Operator& op : program.operators) {
    for (std::uint64_t i = 0; i < op.times; ++i) {
      kernels.insert(kernels.end(), op.kernels.begin(), op.kernels.end());
    }
  }
}

void appendPasses(Bytes bytes, int count, std::vector<Kernel>& kernels) {
  for (int i = 0; i < count; ++i) {
    kernels.emplace_back(Elementwise{bytes, bytes, 2 * bytes});
  }
}

/// Adds the products of the output layer: forward, gradient of the activations, gradient of the
/// weights.
void appendOutputLayer(const LayerShape& layer, std::uint64_t classes,
                       std::vector<Kernel>& kernels) {
  const std::uint64_t width = layer.width;
  const auto add = [&](const GemmShape& shape) {
    kernels.emplace_back(Gemm{shape, layer.precision, Layout::Linear});
  };
  add({layer.batch, classes, width});
  add({layer.batch, width, classes});
  add({width, classes, layer.batch});
}

}  // namespace

// The counts are those of the header.
std::uint64_t trainingOperations(HiddenLayer kind, std::uint64_t width) {
  switch (kind) {
    case HiddenLayer::Dense:
      return kDenseOperations;
    case HiddenLayer::LowRank:
      return 6;
    case HiddenLayer::Circulant:
      return 11;
    case HiddenLayer::Fastfood:
      return 16;
    case HiddenLayer::Pixelfly:
      return 24;
    case HiddenLayer::Butterfly:
      return kDenseOperations + 6 * floorLog2(width);
  }
  throw InternalError("no such layer");
}

TrainedLayer trainedPixelfly(const PixelflyShape& shape) {
  return {pixelflyLayer(shape), trainingOperations(HiddenLayer::Pixelfly, shape.layer.width),
          pixelflyParameters(shape)};
}

TrainedLayer trainedLayer(HiddenLayer kind, const LayerShape& layer) {
  const std::uint64_t width = layer.width;
  const std::uint64_t operations = trainingOperations(kind, width);
  switch (kind) {
    case HiddenLayer::Dense:
      return {linearLayer(layer), operations, width * width + width};
    case HiddenLayer::LowRank:
      return {lowRankLayer(layer, 1), operations, 2 * width + width};
    case HiddenLayer::Circulant:
      return {circulantLayer(layer), operations, width + width};
    case HiddenLayer::Fastfood:
      return {fastfoodLayer(layer), operations, 3 * width + width};
    case HiddenLayer::Pixelfly:
      return trainedPixelfly(usualPixelfly(layer));
    case HiddenLayer::Butterfly:
      // Tied weights: two by two per pair of a stage's first block.
      return {butterflyLayer(layer), operations, 4 * (width - 1) + 2 * width};
  }
  throw InternalError("no such layer");
}

Program trainingStep(const TrainedLayer& hidden, const LayerShape& layer, std::uint64_t classes) {
  check(classes > 0 && hidden.operations >= kDenseOperations,
        "a network has classes, and a layer at least the operations of a dense one");
  Operator step{"training step", FrameworkCall::TrainingStep, {}};
  for (int i = 0; i < kPasses; ++i) append(hidden.forward, step.kernels);
  appendOutputLayer(layer, classes, step.kernels);
  appendPasses(floats(layer.width * layer.batch), kActivationPasses, step.kernels);
  appendPasses(floats(classes * layer.batch), kLossPasses, step.kernels);
  const std::uint64_t parameters = hidden.parameters + (layer.width + 1) * classes;
  const Bytes weights = floats(parameters);
  step.kernels.emplace_back(
      Elementwise{kUpdateReads * weights, kUpdateWrites * weights, kParameterCopies * weights});
  step.extra_operations = hidden.operations - kDenseOperations;
  const Bytes activations = floats(layer.width * layer.batch);
  return {
      "training", {step}, hidden.forward.tensors + 2 * activations + kParameterCopies * weights};
}

}  // namespace ipusim::gpu
