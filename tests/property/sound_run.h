// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/run/simulate.h"

namespace ipusim::run {

/// Whether the numbers on tiles are compared with the reference too.
enum class Numbers : std::uint8_t { Unchecked, Checked };

/// Expects what must hold of every legal program that fits: both engines agree to the cycle, some
/// time passes, no units do more than their peak, and the numbers on tiles are right.
void expectSoundRun(const ConfigReader& config, Numbers numbers);

}  // namespace ipusim::run
