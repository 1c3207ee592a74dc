// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/execute/tile_memories.h"

namespace ipusim::checker {

/// A Repeat that is running: the positions of its body, and where the run is.
struct RunningLoop {
  compiler::LiveRange body;
  std::uint64_t iterations_done;
  std::uint64_t iterations_left;  ///< after this one
};

/// Throws InternalError, naming the step, where one uses a block at a position at which it does not
/// live.
void verifyLiveness(const compiler::Executable& executable);

/// Tells the memories where the live ranges of the blocks that do not live always begin and end, so
/// that a range that is too short costs the program its numbers.
///
/// A variable that lives throughout a Repeat may carry its value from one iteration to the next:
/// its range begins in the first of them and ends in the last. A message buffer never does.
class Lifetimes {
 public:
  /// `executable` and `memories` must outlive this.
  Lifetimes(const compiler::Executable& executable, TileMemories& memories);

  /// Before and after the step at `position`, inside of `loops`.
  void begin(std::uint32_t position, const std::vector<RunningLoop>& loops);
  void end(std::uint32_t position, const std::vector<RunningLoop>& loops);

 private:
  const std::vector<compiler::Block>& blocks_;
  TileMemories& memories_;
  std::vector<std::vector<BlockId>> beginning_at_;
  std::vector<std::vector<BlockId>> ending_at_;
};

}  // namespace ipusim::checker
