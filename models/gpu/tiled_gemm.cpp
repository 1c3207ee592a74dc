// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/tiled_gemm.h"

#include <numeric>

#include "ipusim/error.h"
#include "ipusim/units.h"
#include "models/gpu/arithmetic.h"

namespace ipusim::gpu {
namespace {

constexpr std::uint64_t kFloatBytes = 4;
constexpr std::uint64_t kHalfBytes = 2;
/// Steps of k that one pass of a block's main loop takes.
constexpr std::uint64_t kFp32Grain = 8;
constexpr std::uint64_t kTensorGrain = 32;
/// A load of 128 bits.
constexpr std::uint64_t kLoadBytes = 16;

/// The time of one block at the rate of a whole multiprocessor.
double blockSeconds(const Machine& machine, const TileEfficiency& efficiency,
                    double flops_per_cycle, const TileChoice& tile, double steps) {
  const double inverse_efficiency =
      efficiency.base + efficiency.slope * (1 / real(tile.rows) + 1 / real(tile.columns));
  return kFlopsPerMultiplyAdd * real(tile.rows * tile.columns) * steps * inverse_efficiency /
         (flops_per_cycle * machine.clock_hz);
}

double fp32Seconds(const Machine& machine, const TileChoice& tile, std::uint64_t part,
                   std::uint64_t waves) {
  const double offset = tile.k_sliced ? machine.fp32_sliced_k_offset : machine.fp32.k_offset;
  const double steps = real(roundUp(part, kFp32Grain)) + offset;
  const double fill = waves > 1 ? 1 : machine.fp32_one_wave_efficiency;
  return real(waves) / fill *
         blockSeconds(machine, machine.fp32, machine.fp32_flops_per_cycle, tile, steps);
}

double tensorSeconds(const Machine& machine, Precision precision, const TileChoice& tile,
                     std::uint64_t part, std::uint64_t waves) {
  const bool is_half = precision == Precision::Fp16;
  const TileEfficiency& efficiency = is_half ? machine.half : machine.tf32;
  const double rate = is_half ? machine.half_flops_per_cycle : machine.tf32_flops_per_cycle;
  const double steps = real(roundUp(part, kTensorGrain)) + efficiency.k_offset;
  return real(waves) * blockSeconds(machine, efficiency, rate, tile, steps);
}

double dramBytes(const GemmShape& shape, Precision precision, std::uint64_t split) {
  const double m = real(shape.m);
  const double n = real(shape.n);
  const double k = real(shape.k);
  const double element = real(elementBytes(precision));
  const double operands = shape.operand_bytes > Bytes(0)
                              ? real(shape.operand_bytes.value())
                              : element * real(shape.batch) * (m * k + k * n);
  // Each part of a split k is written in FP32, and read again to be summed.
  const double passes = split > 1 ? 2 * real(split) : 0;
  return operands + real(shape.batch) * m * n * (element + real(kFloatBytes) * passes);
}

}  // namespace

std::uint64_t elementBytes(Precision precision) {
  return precision == Precision::Fp16 ? kHalfBytes : kFloatBytes;
}

double flopsOf(const GemmShape& shape) {
  return kFlopsPerMultiplyAdd * real(shape.m) * real(shape.n) * real(shape.k) * real(shape.batch);
}

void checkShape(const GemmShape& shape) {
  check(shape.m > 0 && shape.n > 0 && shape.k > 0 && shape.batch > 0,
        "a product has extents of at least 1");
}

double alignmentFactor(const Machine& machine, const GemmShape& shape, Precision precision) {
  const std::uint64_t element = elementBytes(precision);
  const std::uint64_t bytes = std::gcd(std::gcd(shape.k, shape.n) * element, kLoadBytes);
  if (bytes == kLoadBytes) return 1;
  return bytes <= kFloatBytes ? machine.tf32_one_word_factor : machine.tf32_two_word_factor;
}

Breakdown tiledGemm(const Machine& machine, const GemmShape& shape, Precision precision,
                    const TileChoice& tile) {
  const std::uint64_t tiles =
      shape.batch * ceilDiv(shape.m, tile.rows) * ceilDiv(shape.n, tile.columns);
  const std::uint64_t blocks = tiles * tile.split;
  const std::uint64_t waves = ceilDiv(blocks, std::uint64_t{machine.sms});
  const std::uint64_t part = ceilDiv(shape.k, tile.split);
  const bool tensor = precision != Precision::Fp32;
  const double factor = tensor ? alignmentFactor(machine, shape, precision) : 1;
  const double l2_bytes =
      real(elementBytes(precision)) * real(tiles) * real(tile.rows + tile.columns) * real(shape.k);
  Breakdown parts;
  parts.compute_seconds = factor * (tensor ? tensorSeconds(machine, precision, tile, part, waves)
                                           : fp32Seconds(machine, tile, part, waves));
  parts.l2_seconds = factor * l2_bytes / machine.l2Rate();
  parts.dram_seconds = factor * dramBytes(shape, precision, tile.split) / machine.dramRate();
  parts.launch_seconds = machine.launch.kernel_seconds;
  parts.combine_seconds = tile.split > 1 ? machine.launch.split_k_seconds : 0;
  parts.tiling = Tiling{tile.rows, tile.columns, tile.split, blocks, waves};
  return overlapped(parts);
}

}  // namespace ipusim::gpu
