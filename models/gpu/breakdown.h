// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace ipusim::gpu {

/// What a prediction waits for most.
enum class Bound : std::uint8_t { Compute, LoadPipe, L2, Dram, Launch, Host };
const char* nameOf(Bound bound);

/// How a product was cut into thread blocks.
struct Tiling {
  std::uint64_t rows;     ///< of the block's tile of the result
  std::uint64_t columns;  ///< the same
  std::uint64_t split;    ///< parts that k is cut into
  std::uint64_t blocks;
  std::uint64_t waves;  ///< blocks over multiprocessors, rounded up
};

/// The time of a kernel, of an operator or of a program, and where it goes. All in seconds.
///
/// Compute, load pipe, L2 and DRAM are what each would take alone. Most kernels overlap them, so
/// that the longest counts; those that do not say so. Launch and combine are always added. Host
/// time runs beside the device's: `seconds` is the longer of the two.
struct Breakdown {
  double compute_seconds = 0;
  double load_pipe_seconds = 0;
  double l2_seconds = 0;
  double dram_seconds = 0;
  double launch_seconds = 0;
  double combine_seconds = 0;    ///< sums up the parts of a split k
  double framework_seconds = 0;  ///< what a framework loses on the device
  double device_seconds = 0;
  double host_seconds = 0;
  double seconds = 0;
  Bound bound = Bound::Launch;
  std::optional<Tiling> tiling;  ///< of a single dense product
};

/// Fills in the total of a kernel whose resources overlap.
Breakdown overlapped(Breakdown parts);
/// The same where each resource is used after the other.
Breakdown inSequence(Breakdown parts);

/// One after the other, parts added. No tiling.
Breakdown operator+(const Breakdown& a, const Breakdown& b);
/// `times` in a row.
Breakdown operator*(const Breakdown& parts, double times);

/// The bound that the parts say.
Bound boundOf(const Breakdown& parts);

}  // namespace ipusim::gpu
