// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <vector>

#include "ipusim/tile_program.h"

namespace ipusim::models {

/// The shape of a random chip. Equal shapes give equal programs.
struct ProgramShape {
  std::uint32_t tiles;
  std::uint32_t barriers;                 ///< number of Syncs and Repeats, about
  std::vector<std::uint64_t> iterations;  ///< a Repeat runs one of these numbers of times
  std::uint64_t seed;
};

std::ostream& operator<<(std::ostream& out, const ProgramShape& shape);

/// Random programs. The tiles share nested Repeats, with and without Syncs in them. Between two
/// barriers a tile has its own Computes and exchanges with others, or nothing. No two messages meet
/// on a port.
ChipPrograms randomPrograms(const ProgramShape& shape);

/// The programs with every Repeat written out.
ChipPrograms unrolled(const ChipPrograms& programs);

}  // namespace ipusim::models
