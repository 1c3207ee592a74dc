// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/capacity.h"

namespace ipusim::gpu {

Capacity capacityFor(const Machine& machine, Bytes required) {
  const MemorySystem& memory = machine.memory;
  const double usable = static_cast<double>(memory.dram.value()) * memory.dram_usable_share;
  return {required, Bytes(static_cast<std::uint64_t>(usable))};
}

}  // namespace ipusim::gpu
