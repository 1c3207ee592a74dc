// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "sim/compile/executable.h"

namespace ipusim::compiler {

/// An Exchange step written message by message: every tile has one block.
class ExchangePattern {
 public:
  explicit ExchangePattern(std::uint32_t tiles);

  void send(std::uint32_t from, const std::vector<std::uint32_t>& to, std::uint64_t words);
  /// From the tile that sent last to the same receivers.
  void sendAgain(std::uint64_t words);

  [[nodiscard]] const Step& step() const { return step_; }
  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }

 private:
  std::vector<Block> blocks_;
  Step step_;
};

struct NamedPattern {
  const char* name;
  ExchangePattern pattern;
};

// Patterns on `tiles` tiles; lengths in words.

/// Sender, receiver and 1 to `longest` words at random.
ExchangePattern randomUnicasts(std::uint32_t tiles, std::uint32_t messages, std::uint64_t longest);
/// Every tile sends `count` messages and receives as many, to others at random.
ExchangePattern permutations(std::uint32_t tiles, std::uint32_t count, std::uint64_t shortest,
                             std::uint64_t longest);
/// Each message goes to `receivers` tiles at random.
ExchangePattern randomMulticasts(std::uint32_t tiles, std::uint32_t messages,
                                 std::uint32_t receivers, std::uint64_t longest);
/// Tiles in a grid of `rows` by `columns`: every tile sends its share of a block of its row to the
/// others of the row, `pieces` messages, and the same in its column.
ExchangePattern gridOfMulticasts(std::uint32_t rows, std::uint32_t columns, std::uint32_t pieces,
                                 std::uint64_t row_words, std::uint64_t column_words);
/// Groups of `group` tiles, `stride` apart, in which each tile sends a slice to each other one.
ExchangePattern reductions(std::uint32_t tiles, std::uint32_t group, std::uint32_t stride,
                           std::uint64_t words);
/// Elements that lie linearly over the tiles go to blocks of a matrix of `columns` columns.
ExchangePattern linearToBlocked(std::uint32_t tiles, std::uint64_t rows, std::uint64_t columns,
                                std::uint64_t block_columns);
ExchangePattern gather(std::uint32_t tiles, std::uint32_t messages, std::uint64_t longest);
/// `senders` tiles each send to all.
ExchangePattern broadcasts(std::uint32_t tiles, std::uint32_t senders, std::uint64_t words);

}  // namespace ipusim::compiler
