// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/attention.h"

#include "ipusim/error.h"
#include "ipusim/units.h"
#include "models/gpu/arithmetic.h"

namespace ipusim::gpu {
namespace {

constexpr std::uint64_t kBlockQueries = 128;
constexpr std::uint64_t kNarrow = 64;  // up to this width a tile has 128 keys
constexpr double kWideTileKeys = 64;
constexpr double kNarrowTileKeys = 128;
constexpr double kExponentialsPerCycle = 16;  // of a multiprocessor
constexpr double kOperationsPerScore = 3;     // largest, scaled difference, sum
constexpr double kAttentionElementBytes = 2;
constexpr double kProducts = 2;

/// The factor by which a tile of 128 rows takes longer than at the peak.
double inverseEfficiency(const Machine& machine, double columns) {
  return machine.half.base + machine.half.slope * (1 / real(kBlockQueries) + 1 / columns);
}

/// What a block takes to multiply, in cycles of its multiprocessor.
double productCycles(const Machine& machine, const Attention& attention) {
  const double tile_keys = attention.width > kNarrow ? kWideTileKeys : kNarrowTileKeys;
  const double flops =
      kFlopsPerMultiplyAdd * real(kBlockQueries) * real(attention.keys) * real(attention.width);
  const double both =
      inverseEfficiency(machine, tile_keys) + inverseEfficiency(machine, real(attention.width));
  return flops * both / machine.half_flops_per_cycle;
}

/// What a block takes to turn scores into weights, in cycles of its multiprocessor.
double scoreCycles(const Machine& machine, const Attention& attention) {
  const double lanes = machine.fp32_flops_per_cycle / kFlopsPerMultiplyAdd;
  return real(kBlockQueries) * real(attention.keys) *
         (1 / kExponentialsPerCycle + kOperationsPerScore / lanes);
}

}  // namespace

double attentionFlops(const Attention& attention) {
  return kProducts * kFlopsPerMultiplyAdd * real(attention.heads) * real(attention.queries) *
         real(attention.keys) * real(attention.width);
}

Breakdown attentionTime(const Machine& machine, const Attention& attention) {
  check(attention.heads > 0 && attention.queries > 0 && attention.keys > 0 && attention.width > 0,
        "attention has extents of at least 1");
  const std::uint64_t blocks = attention.heads * ceilDiv(attention.queries, kBlockQueries);
  const std::uint64_t waves = ceilDiv(blocks, std::uint64_t{machine.sms});
  const double row = kAttentionElementBytes * real(attention.width);
  const double keys_and_values = 2 * row * real(attention.keys);
  Breakdown parts;
  parts.compute_seconds = real(waves) *
                          (productCycles(machine, attention) + scoreCycles(machine, attention)) /
                          machine.clock_hz;
  parts.l2_seconds = real(blocks) * keys_and_values / machine.l2Rate();
  parts.dram_seconds = real(attention.heads) *
                       (keys_and_values + 2 * row * real(attention.queries)) / machine.dramRate();
  parts.launch_seconds = machine.launch.kernel_seconds;
  return overlapped(parts);
}

}  // namespace ipusim::gpu
