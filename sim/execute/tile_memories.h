// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "sim/compile/executable.h"
#include "sim/execute/byte_owners.h"
#include "sim/execute/poison.h"

namespace ipusim::executor {

/// How closely a run checks what it reads.
enum class Checking : std::uint8_t {
  Fast,   ///< a byte that nothing wrote is poison, which shows in the numbers that depend on it
  Strict  ///< no result may depend on a byte that its own block has not written
};

/// The memory of every tile, at the addresses of an executable. A memory is as large as the program
/// needs, even if that does not fit the machine. A tile without data has none. A memory takes space
/// on this computer only where blocks lie. Blocks are poison at first.
class TileMemories {
 public:
  /// Throws InternalError where a block lies outside its tile's part of the memory map.
  /// `executable` must outlive the memories of a strict run.
  explicit TileMemories(const compiler::Executable& executable, Checking checking = Checking::Fast);
  /// Puts the memory of a tile where `place` says: `size` bytes that are zero, and outlive this.
  using Place = std::function<std::byte*(TileId tile, Bytes size)>;
  TileMemories(const compiler::Executable& executable, const Place& place);

  /// The first byte of a block. The memories must outlive the pointer.
  [[nodiscard]] std::byte* at(const compiler::Block& block) {
    return tiles_[block.tile.tile()].bytes.get() + block.address.value();
  }
  /// Makes the block live: its bytes become poison.
  void begin(BlockId id, const compiler::Block& block);
  /// Ends the life of the block: a strict run poisons its bytes.
  void end(BlockId id, const compiler::Block& block);

  /// In a strict run, the owner of every byte. In any other run null.
  [[nodiscard]] ByteOwners* owners() { return owners_ ? &*owners_ : nullptr; }

  friend bool operator==(const TileMemories& a, const TileMemories& b) {
    return a.tiles_ == b.tiles_;
  }

 private:
  struct Free {
    bool owns = true;
    void operator()(std::byte* bytes) const {
      if (owns) std::free(bytes);
    }
  };
  struct Tile {
    std::unique_ptr<std::byte, Free> bytes{nullptr, Free()};
    std::size_t size = 0;

    friend bool operator==(const Tile& a, const Tile& b) {
      return std::equal(a.bytes.get(), a.bytes.get() + a.size, b.bytes.get(),
                        b.bytes.get() + b.size);
    }
  };

  template <typename MakeTile>
  void fill(const compiler::Executable& executable, const MakeTile& make);

  std::vector<Tile> tiles_;
  std::optional<ByteOwners> owners_;
};

}  // namespace ipusim::executor
