// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/gpu/gpu_layers.h"

#include "ipusim/element_type.h"
#include "models/gpu/training.h"

namespace ipusim::workloads {

gpu::Program withBias(gpu::Program layer, std::uint64_t features, std::uint64_t batch) {
  const Bytes rows = features * batch * sizeOf(ElementType::Float);
  const Bytes bias = features * sizeOf(ElementType::Float);
  const gpu::Elementwise add{rows + bias, rows, 2 * rows + bias, Flops(features * batch)};
  gpu::Operator& last = layer.operators.back();
  if (last.call == gpu::FrameworkCall::PixelflyLayer) {
    last.kernels.emplace_back(add);
  } else {
    layer.operators.push_back({"bias", gpu::FrameworkCall::Elementwise, {add}});
  }
  return layer;
}

gpu::Program gpuTraining(const TrainingRun& run, const gpu::Program& forward,
                         std::uint64_t parameters) {
  const std::uint64_t operations =
      gpu::trainingOperations(valueOf(run.hidden, gpu::kHiddenLayerWords), run.features);
  gpu::Program program =
      gpu::trainingStep({forward, operations, parameters}, {run.features, run.batch}, run.classes);
  program.operators.front().times = run.steps;
  return program;
}

}  // namespace ipusim::workloads
