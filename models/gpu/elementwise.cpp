// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/elementwise.h"

namespace ipusim::gpu {

Breakdown streamed(const Machine& machine, double bytes, Bytes working_set) {
  const MemorySystem& memory = machine.memory;
  const double resident = memory.l2_resident_share * static_cast<double>(memory.l2.value());
  Breakdown parts;
  if (static_cast<double>(working_set.value()) <= resident) {
    parts.l2_seconds = bytes / (memory.l2_elementwise_share * machine.l2Rate());
  } else {
    parts.dram_seconds = bytes / machine.dramRate();
  }
  return parts;
}

Breakdown elementwiseTime(const Machine& machine, const Elementwise& kernel) {
  const auto bytes = static_cast<double>((kernel.read + kernel.written).value());
  Breakdown parts = streamed(machine, bytes, kernel.working_set);
  parts.compute_seconds = static_cast<double>(kernel.flops.value()) / machine.fp32Peak();
  parts.launch_seconds = machine.launch.kernel_seconds;
  return overlapped(parts);
}

Breakdown reduceTime(const Machine& machine, const Reduce& kernel) {
  return elementwiseTime(machine, {kernel.read, kernel.written, kernel.working_set});
}

}  // namespace ipusim::gpu
