// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/elementwise/gpu_map.h"

namespace ipusim::workloads {

std::optional<gpu::Program> gpuMap(ElementType type, const MapShape& map) {
  const Bytes one = map.elements * sizeOf(type);
  const Bytes all = (map.operands + 1) * one;
  const gpu::Elementwise kernel{map.operands * one, one, all,
                                Flops(map.flops_per_element * map.elements)};
  const gpu::Numbers numbers = type == ElementType::Half ? gpu::Numbers::Half : gpu::Numbers::Float;
  return gpu::Program{"map", {{"map", gpu::FrameworkCall::Elementwise, {kernel}}}, all, numbers};
}

}  // namespace ipusim::workloads
