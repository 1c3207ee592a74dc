// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/gather.h"

#include "models/gpu/elementwise.h"

namespace ipusim::gpu {
namespace {

constexpr std::uint64_t kSectorBytes = 32;

}  // namespace

Breakdown gatherTime(const Machine& machine, const Gather& gather) {
  const std::uint64_t sectors = roundUp(gather.row.value(), kSectorBytes);
  const std::uint64_t row = sectors + gather.row.value() + gather.index.value();
  const double bytes = static_cast<double>(gather.rows) * static_cast<double>(row);
  Breakdown parts = streamed(machine, bytes, gather.working_set);
  parts.launch_seconds = machine.launch.kernel_seconds;
  return overlapped(parts);
}

}  // namespace ipusim::gpu
