// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/byte_owners.h"

#include <fmt/format.h>

#include <algorithm>

#include "ipusim/error.h"

namespace ipusim::checker {

using compiler::Block;
using compiler::Executable;
using compiler::Landing;

namespace {

// No program has so many blocks.
constexpr BlockId kUnwritten{~std::uint32_t{0}};
constexpr BlockId kDead{~std::uint32_t{0} - 1};

std::string stateOf(BlockId owner) {
  if (owner == kUnwritten) return "nothing has written";
  if (owner == kDead) return "is no longer live";
  return fmt::format("block {} has written over", indexOf(owner));
}

}  // namespace

ByteOwners::ByteOwners(const Executable& executable)
    : blocks_(executable.blocks), tiles_(executable.machine.tiles) {
  for (const Block& block : blocks_) {
    Owners& tile = tiles_.at(block.tile.tile());
    if (!tile.empty()) continue;
    tile.assign(executable.memory.tiles.at(block.tile.tile()).highest_address.value(), kUnwritten);
  }
}

ByteOwners::Owners::iterator ByteOwners::at(const Block& block, Bytes offset) {
  return tiles_[block.tile.tile()].begin() +
         static_cast<std::ptrdiff_t>((block.address + offset).value());
}

void ByteOwners::begin(const Block& block) {
  std::fill_n(at(block, Bytes(0)), block.bytes.value(), kUnwritten);
}

void ByteOwners::end(const Block& block) {
  std::fill_n(at(block, Bytes(0)), block.bytes.value(), kDead);
}

void ByteOwners::write(BlockId block, Bytes offset, Bytes bytes) {
  std::fill_n(at(blocks_[indexOf(block)], offset), bytes.value(), block);
}

void ByteOwners::copy(BlockId from, Bytes from_offset, const Landing& to, Bytes bytes) {
  const auto first = at(blocks_[indexOf(from)], from_offset);
  std::transform(first, first + static_cast<std::ptrdiff_t>(bytes.value()),
                 at(blocks_[indexOf(to.block)], to.offset),
                 [&](BlockId owner) { return owner == from ? to.block : kUnwritten; });
}

void ByteOwners::expectWritten(BlockId block, Bytes offset, Bytes bytes,
                               const std::string& reader) const {
  const Block& place = blocks_[indexOf(block)];
  const Bytes first = place.address + offset;
  const auto owner = tiles_[place.tile.tile()].begin() + static_cast<std::ptrdiff_t>(first.value());
  const auto end = owner + static_cast<std::ptrdiff_t>(bytes.value());
  const auto wrong = std::find_if(owner, end, [&](BlockId one) { return one != block; });
  if (wrong == end) return;
  throw InternalError(fmt::format("{} reads address {} of tile {}, in block {}, which {}", reader,
                                  first.value() + static_cast<std::uint64_t>(wrong - owner),
                                  place.tile.tile(), indexOf(block), stateOf(*wrong)));
}

}  // namespace ipusim::checker
