// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/observer.h"
#include "models/ipu/engines/chip/simulate_chip.h"
#include "models/ipu/program/system_program.h"

namespace ipusim::models {

/// Simulates one chip per program of `system`, and the network that joins them. The observer, which
/// may be null, hears of single IPUs only. `waves`, which may be null, is written for single IPUs
/// only. Must not be called from two threads. Throws what simulateChip() throws.
MeasuredSystem simulateSystem(const SystemPrograms& system, Observer* observer = nullptr,
                              const WaveFile* waves = nullptr);

}  // namespace ipusim::models
