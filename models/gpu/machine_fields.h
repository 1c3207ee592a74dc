// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/gpu/machine.h"

namespace ipusim::gpu {

/// Whether a number may have a fraction.
enum class Number : std::uint8_t { Whole, Real };

/// A key of a preset: its range, and the field that it sets.
struct MachineField {
  const char* key;
  Number number;
  double low;
  double high;  ///< at most 2^53 for whole numbers, so that a double can hold them
  void (*set)(Machine& machine, double value);
};

/// All numbers of a preset, in the order of the struct.
const std::vector<MachineField>& machineFields();

/// A copy of `machine` with another value for one key. Throws InternalError for an unknown key.
Machine withValue(Machine machine, const std::string& key, double value);

}  // namespace ipusim::gpu
