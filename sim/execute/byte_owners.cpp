// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/byte_owners.h"

#include <fmt/format.h>

#include <algorithm>

#include "ipusim/error.h"

namespace ipusim::executor {

using compiler::Block;
using compiler::Executable;

namespace {

// Stands for no block: no program has so many blocks.
constexpr BlockId kNobody{~std::uint32_t{0}};

std::ptrdiff_t lengthOf(const BlockBytes& bytes) {
  return static_cast<std::ptrdiff_t>(bytes.count.value());
}

}  // namespace

ByteOwners::ByteOwners(const Executable& executable)
    : blocks_(executable.lowered.blocks), tiles_(executable.system.tiles()) {
  for (const Block& block : blocks_) {
    Owners& tile = tiles_.at(block.tile.tile());
    if (!tile.empty()) continue;
    tile.assign(executable.memory.tiles.at(block.tile.tile()).highest_address.value(), kNobody);
  }
}

ByteOwners::Owners::iterator ByteOwners::at(BlockId block, Bytes offset) {
  const Block& place = blocks_[indexOf(block)];
  return tiles_[place.tile.tile()].begin() +
         static_cast<std::ptrdiff_t>((place.address + offset).value());
}

ByteOwners::Owners::const_iterator ByteOwners::at(BlockId block, Bytes offset) const {
  const Block& place = blocks_[indexOf(block)];
  return tiles_[place.tile.tile()].begin() +
         static_cast<std::ptrdiff_t>((place.address + offset).value());
}

void ByteOwners::forget(const BlockBytes& bytes) {
  std::fill_n(at(bytes.block, bytes.offset), lengthOf(bytes), kNobody);
}

void ByteOwners::write(const BlockBytes& bytes) {
  std::fill_n(at(bytes.block, bytes.offset), lengthOf(bytes), bytes.block);
}

void ByteOwners::copy(BlockId from, Bytes offset, const BlockBytes& to) {
  const auto first = at(from, offset);
  std::transform(first, first + lengthOf(to), at(to.block, to.offset),
                 [&](BlockId owner) { return owner == from ? to.block : kNobody; });
}

bool ByteOwners::isWritten(const BlockBytes& bytes, std::uint64_t index) const {
  return *at(bytes.block, bytes.offset + Bytes(index)) == bytes.block;
}

template <typename IsWrong>
void ByteOwners::expectNone(const BlockBytes& bytes, const std::string& reader,
                            const IsWrong& is_wrong) const {
  const auto first = at(bytes.block, bytes.offset);
  const auto end = first + lengthOf(bytes);
  const auto wrong = std::find_if(first, end, is_wrong);
  if (wrong == end) return;
  const Block& place = blocks_[indexOf(bytes.block)];
  const Bytes address =
      place.address + bytes.offset + Bytes(static_cast<std::uint64_t>(wrong - first));
  throw InternalError(fmt::format("{} reads address {} of tile {}, in block {}, which {}", reader,
                                  address.value(), place.tile.tile(), indexOf(bytes.block),
                                  *wrong == kNobody
                                      ? "holds nothing that the program has written"
                                      : fmt::format("block {} has written over", indexOf(*wrong))));
}

void ByteOwners::expectNoOther(const BlockBytes& bytes, const std::string& reader) const {
  expectNone(bytes, reader,
             [&](BlockId owner) { return owner != bytes.block && owner != kNobody; });
}

void ByteOwners::expectWritten(const BlockBytes& bytes, const std::string& reader) const {
  expectNone(bytes, reader, [&](BlockId owner) { return owner != bytes.block; });
}

}  // namespace ipusim::executor
