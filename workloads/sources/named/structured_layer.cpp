// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/structured_layer.h"

#include <utility>

#include "workloads/networks/gpu/gpu_layers.h"
#include "workloads/sources/named/parts/layer.h"
#include "workloads/sources/named/parts/structured_layers.h"

namespace ipusim::workloads {

BuiltWorkload buildStructured(const std::string& kind, const ConfigReader& config,
                              const Architecture& machine) {
  const LayerChoice layer = readStructuredLayer(config, kind);
  const LayerWorkload workload{kind,           config.whole("batch", 1, kMaxBatch),
                               layer.features, ElementType::Float,
                               layer.has_bias, layer.add};
  BuiltWorkload built = buildStructuredLayer(config, machine, workload);
  gpu::Program on_gpu = layer.gpu(workload.batch);
  built.gpu = layer.has_bias ? withBias(std::move(on_gpu), layer.features, workload.batch)
                             : std::move(on_gpu);
  return built;
}

LeastSize leastStructured(const std::string& kind, const ConfigReader& config,
                          const Architecture& machine) {
  const LeastSize least = leastSizeOf(config, kind);
  if (!hasDenseBeside(config)) return least;
  MatmulProblem dense;
  dense.pass = ConvPass::FcInferenceFwd;
  dense.m = config.whole("batch", 1, kMaxBatch);
  dense.k = dense.n = config.whole("features", 1, kMaxFeatures);
  return least + leastDense(machine, dense);
}

}  // namespace ipusim::workloads
