// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/config/config_reader.h"
#include "models/ipu/machine/execution_record.h"

namespace ipusim::workloads {

/// What a trace may hold. A trace comes from anywhere, so that each limit is checked before memory
/// is taken.
struct TraceLimits {
  std::uint64_t tiles = 1U << 20U;
  std::uint64_t variables = 10'000'000;
  std::uint64_t vertices = 10'000'000'000;
  std::uint64_t edges = 1'000'000'000'000;
  std::uint64_t nesting = 64;  ///< steps and calls in one another, and loops of a region
  std::uint64_t number = std::uint64_t{1} << 53U;  ///< the largest whole number
  std::uint64_t line_bytes = std::uint64_t{1} << 26U;
  std::uint64_t steps = 50'000;  ///< steps that the calls of a program stand for
  std::uint64_t replayed_steps = kMostReplayedSteps;
};

/// Reads the limits in `config`; a key that is left out keeps its value.
TraceLimits readTraceLimits(const ConfigReader& config);

/// Limits what the lines of a trace may make. A few bytes may say that every tile has a vertex, but
/// the memory and the time to read a file stay in proportion to its size.
class TraceBudget {
 public:
  /// Allows what one more byte of the file may make.
  void grow(std::uint64_t bytes) { bytes_ += bytes; }

  /// Counts things that are kept: families, fields, regions, intervals. False when they are too
  /// many.
  [[nodiscard]] bool keep(std::uint64_t things) {
    kept_ += things;
    return kept_ <= kFreeThings + kThingsPerByte * bytes_;
  }
  /// Counts runs of elements that vertices write, all of which a check compares. False when they
  /// are too many.
  [[nodiscard]] bool write(std::uint64_t runs) {
    written_ += runs;
    return written_ <= kFreeRuns + kRunsPerByte * bytes_;
  }

 private:
  static constexpr std::uint64_t kFreeThings = 100'000;
  static constexpr std::uint64_t kThingsPerByte = 64;
  static constexpr std::uint64_t kFreeRuns = 500'000;
  static constexpr std::uint64_t kRunsPerByte = 500;

  std::uint64_t bytes_ = 0;
  std::uint64_t kept_ = 0;
  std::uint64_t written_ = 0;
};

}  // namespace ipusim::workloads
