// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/parallel/place.h"
#include "sim/parallel/redistribution/plan_search.h"

namespace ipusim::parallel {

/// What one way of redistributing takes.
struct WayReport {
  std::string name;  ///< such as "fewest steps"
  std::string plan;  ///< its steps as text
  std::uint64_t exchanges = 0;
  std::uint64_t received = 0;  ///< elements: sum over the steps of the device that receives most
  std::uint64_t peak = 0;      ///< most elements of the array that a device holds
  std::uint64_t peak_buffers = 0;  ///< most elements before and after a step that a device holds
  double seconds = 0;
  bool fits = true;              ///< on a chip: whether the tiles hold all of it
  std::optional<bool> is_right;  ///< whether its numbers are right, where they were computed
};

/// All ways for one redistribution. The last two are the way through the whole array on every
/// device, as a partitioner falls back to, and one exchange that moves everything at once.
struct RedistributionReport {
  Redistribution redistribution;  ///< with axes of prime size
  ElementType type;
  std::vector<WayReport> ways;
  std::vector<std::string> not_found;  ///< names of ways whose search would take too long
};

enum class WithNumbers : bool { No, Yes };

/// Finds all ways, prices them on `place` and, on a chip, executes them with numbers if asked to.
/// The place must have as many devices as the mesh.
RedistributionReport study(const Redistribution& redistribution, ElementType type,
                           const Place& place, WithNumbers with_numbers);

/// A redistribution between two random types of a random array over `devices` devices. Equal seeds
/// give equal redistributions on every computer.
Redistribution randomRedistribution(std::uint32_t devices, std::uint64_t seed);

/// How much faster than gather-and-slice the fastest staged way is, over many redistributions, and
/// what share of its memory that way takes.
struct SpeedUps {
  std::uint64_t asked = 0;
  std::uint64_t cases = 0;  ///< those that move anything
  double geometric_mean = 0;
  double largest = 0;
  double memory_mean = 0;  ///< geometric mean of peak_buffers over those of gather-and-slice
};
SpeedUps speedUps(const std::vector<RedistributionReport>& reports);

}  // namespace ipusim::parallel
