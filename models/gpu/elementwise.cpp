// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/elementwise.h"

#include <algorithm>

#include "base/numbers/powers_of_two.h"
#include "models/gpu/arithmetic.h"

namespace ipusim::gpu {
namespace {

constexpr double kIssueLanes = 128;  // of a multiprocessor, in a cycle
constexpr double kElementInstructions = 12;
constexpr double kSideInstructions = 13;
constexpr std::uint64_t kReduceThreads = 512;  // of a block, at most
constexpr std::uint64_t kReducedBytes = 4;

std::uint64_t powerOfTwoAtMost(std::uint64_t value) {
  return std::uint64_t{1} << floorLog2(value);
}

double addressSeconds(const Machine& machine, const Elementwise& kernel) {
  if (kernel.addressed_elements == 0) return 0;
  const double instructions =
      kElementInstructions + kSideInstructions * real(kernel.addressed_sides);
  return real(kernel.addressed_elements) * instructions / (kIssueLanes * machine.cyclesPerSecond());
}

/// The time until all blocks of a reduction along a short side had their turn.
double turnSeconds(const Machine& machine, const Reduce& kernel) {
  const bool neighbours = kernel.stride == 1;
  const std::uint64_t across = powerOfTwoAtMost(kernel.terms);
  const std::uint64_t threads =
      neighbours ? kReduceThreads
                 : across * std::min(powerOfTwoAtMost(kernel.stride), kReduceThreads / across);
  const std::uint64_t results = neighbours ? threads / across : threads;
  const Residency& residency = machine.residency;
  const double resident = real(std::min<std::uint64_t>(
      residency.blocks_per_sm, std::max<std::uint64_t>(1, residency.threads_per_sm / threads)));
  const double blocks = real(ceilDiv(kernel.written.value() / kReducedBytes, results));
  return std::max(1.0, blocks / (machine.sms * resident)) * residency.block_seconds;
}

}  // namespace

Breakdown streamed(const Machine& machine, double bytes, Bytes working_set) {
  const MemorySystem& memory = machine.memory;
  Breakdown parts;
  if (static_cast<double>(working_set.value()) <= machine.residentBytes()) {
    parts.l2_seconds = bytes / (memory.l2_elementwise_share * machine.l2Rate());
  } else {
    parts.dram_seconds = bytes / machine.dramRate();
  }
  return parts;
}

Breakdown elementwiseTime(const Machine& machine, const Elementwise& kernel) {
  const auto bytes = static_cast<double>((kernel.read + kernel.written).value());
  Breakdown parts = streamed(machine, bytes, kernel.working_set);
  parts.compute_seconds = std::max(static_cast<double>(kernel.flops.value()) / machine.fp32Peak(),
                                   addressSeconds(machine, kernel));
  parts.launch_seconds = machine.launch.kernel_seconds;
  return overlapped(parts);
}

Breakdown reduceTime(const Machine& machine, const Reduce& kernel) {
  const auto bytes = static_cast<double>((kernel.read + kernel.written).value());
  Breakdown parts = streamed(machine, bytes, kernel.working_set);
  if (kernel.terms > 0) parts.compute_seconds = turnSeconds(machine, kernel);
  parts.launch_seconds = machine.launch.kernel_seconds;
  return overlapped(parts);
}

}  // namespace ipusim::gpu
