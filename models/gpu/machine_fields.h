// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/gpu/machine.h"

namespace ipusim::gpu {

/// Whether a fraction makes sense.
enum class Number : std::uint8_t { Whole, Real };

/// A key of a preset: its range, and the field it sets.
struct MachineField {
  const char* key;
  Number number;
  double low;
  double high;  ///< of whole numbers at most 2^53, so that a double holds them
  void (*set)(Machine& machine, double value);
};

/// All numbers of a preset, in the order of the struct.
const std::vector<MachineField>& machineFields();

/// The same GPU with another value for one key. Throws InternalError where there is no such key.
Machine withValue(Machine machine, const std::string& key, double value);

}  // namespace ipusim::gpu
