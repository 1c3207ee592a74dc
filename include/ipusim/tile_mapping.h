// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
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
  TileMapping();
  TileMapping(const TileMapping& other);
  TileMapping(TileMapping&& other) noexcept;
  TileMapping& operator=(TileMapping other) noexcept;
  ~TileMapping();

  /// Maps [begin, end) to `tile`. A later call overrides earlier ones.
  void set(std::uint64_t begin, std::uint64_t end, TileId tile);

  /// The intervals in order. Neighbours on one tile are joined.
  [[nodiscard]] std::vector<MappedInterval> intervals() const;

 private:
  // Boost's interval map stays in the source file: its header would be half of the time that nearly
  // every file above this one spends on reading headers.
  struct Map;
  std::unique_ptr<Map> map_;
};

}  // namespace ipusim
