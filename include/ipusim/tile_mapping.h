// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/ids.h"

namespace ipusim {

/// Consecutive elements of a variable on one tile.
struct MappedInterval {
  std::uint64_t begin;
  std::uint64_t end;
  TileId tile;
  std::uint64_t local;  ///< how many elements of the variable lie before `begin` on this tile
};

/// Where the elements of a variable live. A tile stores its share in the order of the elements.
class TileMapping {
 public:
  /// Maps [begin, end) to `tile`. A later call overrides earlier ones.
  void set(std::uint64_t begin, std::uint64_t end, TileId tile);

  /// The intervals in order. Neighbours on one tile are joined. Valid until the next set(). The
  /// first call after a set() sorts the intervals: no two threads may make that call at once.
  [[nodiscard]] const std::vector<MappedInterval>& intervals() const;

 private:
  enum class State : std::uint8_t {
    Complete,
    InOrder,  ///< sorted, and no two overlap; `local` is not counted yet
    AsSet,    ///< in the order of the calls of set()
  };

  mutable std::vector<MappedInterval> intervals_;
  mutable State state_ = State::Complete;
};

}  // namespace ipusim
