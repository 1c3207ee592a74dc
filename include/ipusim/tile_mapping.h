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
  std::uint64_t local;  ///< elements of the variable that lie before `begin` on this tile
};

/// Where the elements of a variable live. A tile packs its share in the order of the elements.
class TileMapping {
 public:
  /// Maps [begin, end) to `tile`; a later call wins.
  void set(std::uint64_t begin, std::uint64_t end, TileId tile);

  /// The intervals in order, neighbours on one tile joined; valid until the next set(). The first
  /// call after a set() brings them in order: no two threads may make it at once.
  [[nodiscard]] const std::vector<MappedInterval>& intervals() const;

 private:
  enum class State : std::uint8_t {
    Complete,
    InOrder,  ///< apart and in order; `local` is not counted yet
    AsSet,    ///< in the order of the calls
  };

  mutable std::vector<MappedInterval> intervals_;
  mutable State state_ = State::Complete;
};

}  // namespace ipusim
