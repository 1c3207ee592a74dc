// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <vector>

#include "ipusim/tile_program.h"

namespace ipusim::models {

/// What a random chip is drawn from. The same shape gives the same programs.
struct ProgramShape {
  std::uint32_t tiles;
  std::uint32_t meetings;                 ///< Syncs and Repeats, about
  std::vector<std::uint64_t> iterations;  ///< a Repeat runs one of these times
  std::uint64_t seed;
};

std::ostream& operator<<(std::ostream& out, const ProgramShape& shape);

/// Programs that share nested Repeats, with and without Syncs in them, and between two meetings
/// have Computes of their own and exchanges with others, or nothing. No two messages meet on a
/// port.
ChipPrograms randomPrograms(const ProgramShape& shape);

/// The same with every Repeat written out.
ChipPrograms unrolled(const ChipPrograms& programs);

}  // namespace ipusim::models
