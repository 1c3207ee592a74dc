// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/record/recorded_program.h"

namespace ipusim::record {

/// How many ops of tiles a replay may come to. They take 3 GB.
constexpr std::uint64_t kMostReplayedOps = 100'000'000;

/// Throws ConfigError, which says what was wanted and found, unless all IPUs have equal tiles and
/// steps, programs without loops that they can run, and one order of steps, and the replay takes no
/// more memory than a replay may.
void checkRecord(const RecordedProgram& program);

}  // namespace ipusim::record
