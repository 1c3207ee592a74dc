// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/config_reader.h"
#include "sim/run/simulate.h"

namespace ipusim::run {

/// What replayProgram() has built and found.
struct ReplayedProgram {
  BuiltConfig built;
  /// False: the program is so large that only a run looks at its measured steps, at what its steps
  /// add up to and, on several IPUs, at its remote copies.
  bool checked_all;
};

/// Reads all of `config`, builds its graph and replays its execution record. Throws what prepare()
/// throws before it schedules exchanges and lays out memory, and what simulate() throws when a run
/// has more work, bytes or cycles than 64 bits can count. The memory and the time that this takes
/// stay small for a program of few bytes, whatever it moves.
ReplayedProgram replayProgram(const ConfigReader& config);

}  // namespace ipusim::run
