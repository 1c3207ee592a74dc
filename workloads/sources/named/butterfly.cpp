// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/butterfly.h"

#include "models/gpu/torch_layers.h"
#include "models/ipu/machine/element_words.h"
#include "workloads/networks/gpu/gpu_layers.h"
#include "workloads/networks/operations/products/structured_layers.h"
#include "workloads/sources/named/parts/layer.h"
#include "workloads/sources/named/parts/structured_layers.h"

namespace ipusim::workloads {

BuiltWorkload buildButterfly(const ConfigReader& config, const Architecture& machine) {
  const ButterflyShape shape = readButterflyShape(config);
  const bool has_bias = readBias(config);
  const ElementType type = readWord(config, "type", kNumberWords, ElementType::Float);
  const bool is_fused = config.choice("lowering", {"framework", "fused"}, "framework") == "fused";
  const LayerWorkload workload{"butterfly",
                               config.whole("batch", 1, kMaxBatch),
                               shape.features,
                               type,
                               has_bias,
                               [=](const LayerSite& site) {
                                 const NetworkTensorId y = is_fused
                                                               ? addFusedButterflyLayer(site, shape)
                                                               : addButterflyLayer(site, shape);
                                 return has_bias ? site.withBias("", y) : y;
                               }};
  BuiltWorkload built = buildStructuredLayer(config, machine, workload);
  if (type != ElementType::Float) return built;  // the kernels are modelled in FP32 only
  built.gpu = gpu::butterflyLayer({shape.features, workload.batch});
  if (has_bias) built.gpu = withBias(*std::move(built.gpu), shape.features, workload.batch);
  return built;
}

}  // namespace ipusim::workloads
