// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/execute/tile_memories.h"

namespace ipusim::executor {

/// A Repeat that is running: the positions of its body, and how far the run is.
struct RunningLoop {
  compiler::LiveRange body;
  std::uint64_t iterations_done;
  std::uint64_t iterations_left;  ///< how many iterations follow the current one
};

/// Throws InternalError, which names the step, where a step uses a block at a position at which the
/// block does not live.
void verifyLiveness(const compiler::Executable& executable);

/// Tells the memories where the live ranges of blocks begin and end, for blocks that do not live
/// always. A range that is too short thus spoils the program's numbers.
///
/// A variable that lives throughout a Repeat may carry its value from one iteration to the next.
/// The range of such a variable begins in the first iteration and ends in the last. A message
/// buffer carries no value.
class Lifetimes {
 public:
  /// `executable` and `memories` must outlive this.
  Lifetimes(const compiler::Executable& executable, TileMemories& memories);

  /// Call these before and after the step at `position`. `loops` are the loops around the step.
  void begin(std::uint32_t position, const std::vector<RunningLoop>& loops);
  void end(std::uint32_t position, const std::vector<RunningLoop>& loops);

 private:
  const std::vector<compiler::Block>& blocks_;
  TileMemories& memories_;
  std::vector<std::vector<BlockId>> beginning_at_;
  std::vector<std::vector<BlockId>> ending_at_;
};

}  // namespace ipusim::executor
