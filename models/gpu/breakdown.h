// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace ipusim::gpu {

/// The resource that bounds a time.
enum class Bound : std::uint8_t { Compute, LoadPipe, L2, Dram, Launch, Host };
const char* nameOf(Bound bound);

/// How a product was cut into thread blocks.
struct Tiling {
  std::uint64_t rows;     ///< rows of the tile of the result that a block computes
  std::uint64_t columns;  ///< columns of that tile
  std::uint64_t split;    ///< parts that k is cut into
  std::uint64_t blocks;
  std::uint64_t waves;  ///< blocks over multiprocessors, rounded up
};

/// The time of a kernel, of an operator or of a program, and where it goes. All in seconds.
///
/// Compute, load pipe, L2 and DRAM are what each resource would take alone. Most kernels overlap
/// them, so that the longest counts; the other kernels say so. Launch and combine are always added.
/// The host works beside the device: `seconds` is the longer of the two.
struct Breakdown {
  double compute_seconds = 0;
  double load_pipe_seconds = 0;
  double l2_seconds = 0;
  double dram_seconds = 0;
  double launch_seconds = 0;
  double combine_seconds = 0;    ///< to sum the parts of a split k, and to write a large result
  double framework_seconds = 0;  ///< loss through a framework on the device
  double device_seconds = 0;
  double host_seconds = 0;
  double seconds = 0;
  Bound bound = Bound::Launch;
  std::optional<Tiling> tiling;  ///< set for a single dense product
};

/// Completes the breakdown of a kernel whose resources overlap.
Breakdown overlapped(Breakdown parts);
/// Completes the breakdown of a kernel that uses one resource after the other.
Breakdown inSequence(Breakdown parts);

/// The two one after the other, part by part. The sum has no tiling.
Breakdown operator+(const Breakdown& a, const Breakdown& b);
/// `times` of them in a row.
Breakdown operator*(const Breakdown& parts, double times);

/// The resource that bounds the parts.
Bound boundOf(const Breakdown& parts);

}  // namespace ipusim::gpu
