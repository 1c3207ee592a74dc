// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "sim/compile/executable.h"

namespace ipusim::compiler {

/// An Exchange step, written message by message. Every tile has one block.
class ExchangePattern {
 public:
  explicit ExchangePattern(std::uint32_t tiles);

  void send(std::uint32_t from, const std::vector<std::uint32_t>& to, std::uint64_t words);
  /// Adds a message from the last sender to the same receivers.
  void sendAgain(std::uint64_t words);

  [[nodiscard]] const Step& step() const { return step_; }
  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }

 private:
  std::vector<Block> blocks_;
  Step step_;
  Message last_{};
};

struct NamedPattern {
  const char* name;
  ExchangePattern pattern;
};

// Patterns on `tiles` tiles. Lengths are in words.

/// Random senders and receivers, and 1 to `longest` words per message.
ExchangePattern randomUnicasts(std::uint32_t tiles, std::uint32_t messages, std::uint64_t longest);
/// Every tile sends `count` messages to random tiles, and receives as many.
ExchangePattern permutations(std::uint32_t tiles, std::uint32_t count, std::uint64_t shortest,
                             std::uint64_t longest);
/// Each message goes to `receivers` random tiles.
ExchangePattern randomMulticasts(std::uint32_t tiles, std::uint32_t messages,
                                 std::uint32_t receivers, std::uint64_t longest);
/// Tiles in a grid of `rows` by `columns`. Every tile sends its share of a block of its row to the
/// other tiles of the row in `pieces` messages, and likewise in its column.
ExchangePattern gridOfMulticasts(std::uint32_t rows, std::uint32_t columns, std::uint32_t pieces,
                                 std::uint64_t row_words, std::uint64_t column_words);
/// Groups of `group` tiles, `stride` apart. In a group each tile sends a slice to each other tile.
ExchangePattern reductions(std::uint32_t tiles, std::uint32_t group, std::uint32_t stride,
                           std::uint64_t words);
/// Elements that lie linearly over the tiles go to blocks of a matrix with `columns` columns.
ExchangePattern linearToBlocked(std::uint32_t tiles, std::uint64_t rows, std::uint64_t columns,
                                std::uint64_t block_columns);
ExchangePattern gather(std::uint32_t tiles, std::uint32_t messages, std::uint64_t longest);
/// Each of `senders` tiles sends to all.
ExchangePattern broadcasts(std::uint32_t tiles, std::uint32_t senders, std::uint64_t words);

}  // namespace ipusim::compiler
