// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/compile/executable.h"

namespace ipusim::checker {

/// What a byte holds before the program writes it and after its value is dead: NaN in half and
/// float, -1 or the largest number in the integers.
constexpr std::byte kPoison{0xFF};

/// The memory of every tile, at the addresses of an executable; of a tile without data nothing.
/// As large as the program needs, whether that fits the machine or not. All poison at first.
class TileMemories {
 public:
  /// Throws InternalError where a block lies outside its tile's part of the memory map.
  explicit TileMemories(const compiler::Executable& executable);

  /// The first byte of a block. The memories must outlive the pointer.
  [[nodiscard]] std::byte* at(const compiler::Block& block) {
    return tiles_[block.tile.tile()].data() + block.address.value();
  }
  void poison(const compiler::Block& block);

  friend bool operator==(const TileMemories& a, const TileMemories& b) {
    return a.tiles_ == b.tiles_;
  }

 private:
  std::vector<std::vector<std::byte>> tiles_;
};

}  // namespace ipusim::checker
