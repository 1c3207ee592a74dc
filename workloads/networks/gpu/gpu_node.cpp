// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/gpu/gpu_node.h"

namespace ipusim::workloads {

gpu::Operator gpuPass(const GpuNode& node) {
  return {"", gpu::FrameworkCall::Elementwise, {node.pass}};
}

gpu::Operator gpuNorm(const GpuNode& node) {
  const gpu::Reduce statistics{node.pass.read, Bytes(0), node.pass.working_set};
  return {"", gpu::FrameworkCall::Elementwise, {statistics, node.pass}};
}

gpu::Operator Operation::gpuOperator(const GpuNode& node) const {
  return gpuPass(node);
}

}  // namespace ipusim::workloads
