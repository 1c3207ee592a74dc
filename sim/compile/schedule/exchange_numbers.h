// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/compile/executable.h"
#include "sim/compile/lower/hash_index.h"

namespace ipusim::compiler {

/// Numbers the exchanges of a program; exchanges that are alike share a number. Two are alike when
/// they go from the same tiles to the same tiles, in the same order, in pieces of the same sizes.
/// The address of the data in a tile's memory makes no difference to a schedule.
class ExchangeNumbers {
 public:
  /// `lowered` must outlive this.
  explicit ExchangeNumbers(const Lowered& lowered) : lowered_(lowered) {}

  /// The number of an Exchange step: the number of an earlier step that is alike, or the next free
  /// one.
  std::uint32_t of(StepId step);

 private:
  [[nodiscard]] std::size_t hashOf(const Step& step) const;
  [[nodiscard]] bool areAlike(const Step& a, const Step& b) const;
  /// Whether the messages of two exchanges, one of each, are alike.
  [[nodiscard]] bool areAlike(const Messages& of_a, const Message& a, const Messages& of_b,
                              const Message& b) const;
  [[nodiscard]] TileId tileOf(BlockId block) const { return lowered_.blocks[indexOf(block)].tile; }

  const Lowered& lowered_;
  HashIndex index_;
  std::vector<StepId> first_;  // one entry per number: the first step that has it
};

}  // namespace ipusim::compiler
