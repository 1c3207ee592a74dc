// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "poplar/codelets/codelets.h"

namespace poplar::detail {

/// A line of a codelet with the issue slots that all workers of all tiles spent in it.
struct HotLine {
  std::string file;
  std::uint32_t line = 0;
  std::uint64_t slots = 0;
};

/// Adds up how often the blocks of codelets ran. Calls for different tiles may come at the same
/// time.
class BlockTally {
 public:
  BlockTally(std::size_t blocks, std::uint32_t tiles) : blocks_(blocks), by_tile_(tiles) {}

  /// `counts` has an entry per block, or none.
  void add(std::uint32_t tile, const std::vector<std::uint64_t>& counts);
  void clear();
  /// The lines where slots were spent, the most first; equals in the order of file and line.
  [[nodiscard]] std::vector<HotLine> lines(
      const std::vector<ipusim::codelets::CodeBlock>& blocks) const;

 private:
  std::size_t blocks_;
  std::vector<std::vector<std::uint64_t>> by_tile_;  ///< empty for tiles without calls
};

}  // namespace poplar::detail
