// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/ipu/machine/execution_record.h"
#include "sim/compile/lower/control.h"
#include "sim/compile/lower/placement.h"

namespace ipusim::compiler {

/// Turns every Execute and Copy of the graph's program into steps with their data in blocks. What a
/// vertex reads from another tile lands in a message buffer before the vertex runs. What a vertex
/// writes for another tile leaves a message buffer afterwards. A copy becomes an exchange, copy
/// vertices, or both. A sync precedes every exchange. What decides an If, a Switch or a RepeatWhile
/// goes to all tiles first; `record` says what these steps then do. Throws GraphError where it does
/// not.
///
/// What goes from one IPU to another travels in a global exchange, which follows the exchange
/// inside the IPUs. Bytes that are not consecutive at an end leave or land in a buffer there, which
/// copy vertices fill before or empty after. An operand that several tiles of another IPU want goes
/// to one of them, and on to the others in a second exchange inside that IPU. A copy to several
/// tiles of another IPU is one message per tile.
Lowered lower(const Graph& graph, const TileSpace& space, const ExecutionRecord& record);

/// A lowered graph, and what became of its steps.
struct LoweredGraph {
  Lowered lowered;
  /// One entry per step of the graph's program, in order: where the steps end to which it and those
  /// before it are lowered. The body of a function has its place at the first call.
  std::vector<std::uint32_t> step_ends;
};

/// Like lower(), for a graph whose vertices and copies nobody reads afterwards: those of each step
/// are freed as soon as they are lowered.
LoweredGraph lowerAndRelease(Graph& graph, const TileSpace& space, const ExecutionRecord& record);

/// How many steps of the graph's program lower() goes through: see LoweredGraph::step_ends.
[[nodiscard]] std::size_t stepsOf(const Graph& graph);

/// What the graph's program runs when its decisions are those of `record`. The numbers of steps are
/// those of a program that is not lowered, of which there are stepsOf(). Throws RecordError as
/// replayed() does.
std::vector<Control> replayedControl(const Graph& graph, const ExecutionRecord& record);

/// Throws RecordError where lower() would throw it. Measured steps are held against the lowered
/// program, but only where that has at most `most_parts` parts (see mostPartsOf). Returns false
/// where measured steps were not looked at.
[[nodiscard]] bool checkRecord(const Graph& graph, const TileSpace& space,
                               const ExecutionRecord& record, std::uint64_t most_parts);

}  // namespace ipusim::compiler
