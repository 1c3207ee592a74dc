// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "ipusim/machine.h"
#include "workloads/sources/trace/trace.h"

// Programs for what-if questions, made from programs. Each throws ConfigError, which names the
// variable or the compute set, for a program that it cannot transform. A program in half does not
// know the peak of its machine any more. None has measured cycles: they are those of the program
// that was measured.

namespace ipusim::workloads {

/// The program for `tiles` tiles. A variable that is spread over all tiles of the trace is spread
/// over all the others. A vertex must then work on the shares of its tile, and its type must be one
/// whose only size is its elements.
Trace retargeted(const Trace& trace, std::uint32_t tiles, const Architecture& machine);

/// The program with half in place of float. A variable that is spread in grains of the library is
/// spread in such grains again. A vertex type that only the trace knows keeps its cycles.
Trace halved(const Trace& trace, const Architecture& machine);

/// The program with `factor` times the cycles of the vertices whose type has that name, or of all
/// vertices when it is empty. Cycles are rounded to the nearest whole number. Throws ConfigError
/// where no vertex type has that name.
Trace withScaledCycles(const Trace& trace, double factor, const std::string& type_name,
                       const Architecture& machine);

}  // namespace ipusim::workloads
