// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/tile_program.h"

namespace ipusim::models {

/// How long a tile takes for the vertices of one Compute.
///
/// A vertex i is launched at s(i) and ends at s(i) + H, where `free` is the earliest end of a
/// context:
///
///   s(i) = max(s(i-1), free) + L
///
/// Over a run of equal vertices the ends grow. So the m contexts that are free before the newest
/// end take turns, and the other contexts wait behind them, busy with longer vertices of an earlier
/// run. Then
///
///   s(i) = max(s(i-1), s(i-m) + H) + L
///
/// After two turns of the m contexts this is
///
///   s(i) = s(i-m) + max(m L, L + H)
///
/// because of two facts. If a launch waits for its context at all, all later ones do: s(i-1) =
/// s(i-1-m) + H + L <= s(i-m) + H. If m launches in a row do not wait, none does later: H <= (m-1)
/// L. Whole turns can therefore be skipped, up to the next context that is busy longer. The cost of
/// a run is of the order of the square of the number of contexts, whatever its count.
class ComputeClock {
 public:
  explicit ComputeClock(const ChipTiming& timing);

  /// The time from the tile's arrival, when all contexts are free, until supervisor and contexts
  /// are free.
  Cycles duration(const VertexRun* first, const VertexRun* last);

 private:
  void runWorkers(std::uint64_t count, std::uint64_t hold);
  void runSupervisors(std::uint64_t count, std::uint64_t cycles);
  std::size_t launchOne(std::uint64_t hold);
  std::uint64_t skipTurns(std::size_t turn, std::uint64_t count, std::uint64_t hold);

  const ChipTiming& timing_;
  std::uint64_t supervisor_ = 0;     // s of the last launch
  std::vector<std::uint64_t> ends_;  // ends of the contexts, ascending
};

}  // namespace ipusim::models
