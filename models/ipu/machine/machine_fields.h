// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/machine.h"

namespace ipusim {

/// The most tiles of a chip and workers of a tile that a machine may have. These bounds keep sums
/// and products of the cost formulas far inside 64 bits. None is a hardware limit.
constexpr std::uint64_t kMaxTiles = 65536;
constexpr std::uint64_t kMaxWorkers = 64;

/// A key of a preset whose value is a whole number: its range, and the field that it sets.
struct MachineField {
  const char* key;
  std::uint64_t low;
  std::uint64_t high;
  void (*set)(Machine& machine, std::uint64_t value);
};

/// All such keys, in the order of the struct. `clock_hz`, `exchange` and `name` are not whole
/// numbers.
const std::vector<MachineField>& machineFields();

}  // namespace ipusim
