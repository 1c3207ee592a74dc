// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/butterfly.h"

#include "models/ipu/system/element_words.h"
#include "workloads/networks/fused_butterfly.h"
#include "workloads/ops/gpu_layers.h"
#include "workloads/sources/named/parts/layer.h"
#include "workloads/sources/named/parts/structured_layers.h"

namespace ipusim::workloads {

BuiltWorkload buildButterfly(const ConfigReader& config, const Architecture& machine) {
  const ButterflyShape shape = readButterflyShape(config);
  const bool has_bias = readBias(config);
  const ElementType type = readWord(config, "type", kNumberWords, ElementType::Float);
  const bool is_fused = config.choice("lowering", {"framework", "fused"}, "framework") == "fused";
  const LayerWorkload workload{"butterfly", config.whole("batch", 1, kMaxBatch), shape.features,
                               type, [=](const LayerSite& site) -> std::shared_ptr<Layer> {
                                 if (is_fused)
                                   return std::make_shared<FusedButterflyLayer>(site, shape,
                                                                                has_bias);
                                 return std::make_shared<ButterflyLayer>(site, shape, has_bias);
                               }};
  BuiltWorkload built = buildStructuredLayer(config, machine, workload, has_bias);
  built.gpu = gpuButterfly(type, {shape.features, workload.batch, has_bias});
  return built;
}

}  // namespace ipusim::workloads
