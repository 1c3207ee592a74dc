// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/compile/executable.h"

namespace ipusim::compiler {

/// What the step at a position does with a variable.
struct Access {
  std::uint32_t position;
  bool reads;
  Bytes written;
};
/// In the order of their positions, one per position.
using Accesses = std::vector<Access>;

/// Whether host copies count as accesses. They do where the variables that they move may share
/// memory with others.
enum class HostCopies : std::uint8_t { LeftOut, Counted };

/// The accesses of all variables, by number, at the positions of `lowered`. Also sets the live
/// ranges of all buffers. A buffer lives from its first write to the last read before it is filled
/// again.
std::vector<Accesses> findAccesses(Lowered& lowered, HostCopies host_copies);

/// The bytes of a variable on all tiles.
Bytes bytesOf(std::size_t variable, const Lowered& lowered);

}  // namespace ipusim::compiler
