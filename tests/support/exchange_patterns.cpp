// SPDX-License-Identifier: Apache-2.0
#include "tests/support/exchange_patterns.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace ipusim::compiler {

namespace {

constexpr Bytes kWord(4);
constexpr Bytes kBlock(std::uint64_t{1} << 30U);
constexpr std::uint32_t kSeed = 1472;

/// Random numbers that do not depend on the standard library.
class Random {
 public:
  std::uint32_t below(std::uint64_t end) { return static_cast<std::uint32_t>(source_() % end); }
  std::uint64_t between(std::uint64_t low, std::uint64_t high) {
    return low + below(high - low + 1);
  }
  std::vector<std::uint32_t> permutation(std::uint32_t count) {
    std::vector<std::uint32_t> list(count);
    std::iota(list.begin(), list.end(), 0U);
    for (std::uint32_t i = count; i > 1; --i) std::swap(list[i - 1], list[below(i)]);
    return list;
  }

 private:
  std::mt19937 source_{kSeed};
};

}  // namespace

ExchangePattern::ExchangePattern(std::uint32_t tiles) {
  for (std::uint32_t t = 0; t < tiles; ++t) {
    Block block{};
    block.tile = TileId(t);
    block.bytes = kBlock;
    blocks_.push_back(block);
  }
  step_.name = "pattern";
  step_.kind = StepKind::Exchange;
}

void ExchangePattern::send(std::uint32_t from, const std::vector<std::uint32_t>& to,
                           std::uint64_t words) {
  Destinations destinations;
  for (const std::uint32_t tile : to) destinations.push_back({BlockId{tile}, Bytes(0)});
  last_ = Message{BlockId{from}};
  last_.list = step_.messages.addList(destinations);
  sendAgain(words);
}

void ExchangePattern::sendAgain(std::uint64_t words) {
  last_.form = step_.messages.addForm({words * kWord});
  step_.messages.add(last_);
}

ExchangePattern randomUnicasts(std::uint32_t tiles, std::uint32_t messages, std::uint64_t longest) {
  ExchangePattern pattern(tiles);
  Random random;
  for (std::uint32_t m = 0; m < messages; ++m) {
    const std::uint32_t from = random.below(tiles);
    const std::uint32_t to = (from + 1 + random.below(tiles - 1)) % tiles;
    pattern.send(from, {to}, random.between(1, longest));
  }
  return pattern;
}

ExchangePattern permutations(std::uint32_t tiles, std::uint32_t count, std::uint64_t shortest,
                             std::uint64_t longest) {
  ExchangePattern pattern(tiles);
  Random random;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::vector<std::uint32_t> to = random.permutation(tiles);
    for (std::uint32_t t = 0; t < tiles; ++t) {
      pattern.send(t, {to[t]}, random.between(shortest, longest));
    }
  }
  return pattern;
}

ExchangePattern randomMulticasts(std::uint32_t tiles, std::uint32_t messages,
                                 std::uint32_t receivers, std::uint64_t longest) {
  ExchangePattern pattern(tiles);
  Random random;
  for (std::uint32_t m = 0; m < messages; ++m) {
    std::vector<std::uint32_t> to;
    while (to.size() < receivers) {
      const std::uint32_t tile = random.below(tiles);
      if (std::find(to.begin(), to.end(), tile) == to.end()) to.push_back(tile);
    }
    pattern.send(random.below(tiles), to, random.between(1, longest));
  }
  return pattern;
}

ExchangePattern gridOfMulticasts(std::uint32_t rows, std::uint32_t columns, std::uint32_t pieces,
                                 std::uint64_t row_words, std::uint64_t column_words) {
  ExchangePattern pattern(rows * columns);
  for (std::uint32_t tile = 0; tile < rows * columns; ++tile) {
    std::vector<std::uint32_t> row;
    std::vector<std::uint32_t> column;
    for (std::uint32_t other = 0; other < rows * columns; ++other) {
      if (other == tile) continue;
      if (other / columns == tile / columns) row.push_back(other);
      if (other % columns == tile % columns) column.push_back(other);
    }
    pattern.send(tile, row, row_words);
    for (std::uint32_t piece = 1; piece < pieces; ++piece) pattern.sendAgain(row_words);
    pattern.send(tile, column, column_words);
    for (std::uint32_t piece = 1; piece < pieces; ++piece) pattern.sendAgain(column_words);
  }
  return pattern;
}

ExchangePattern reductions(std::uint32_t tiles, std::uint32_t group, std::uint32_t stride,
                           std::uint64_t words) {
  ExchangePattern pattern(tiles);
  const std::uint32_t span = group * stride;
  for (std::uint32_t tile = 0; tile < tiles / span * span; ++tile) {
    const std::uint32_t base = tile / span * span + tile % stride;
    for (std::uint32_t other = base; other < base + span; other += stride) {
      if (other != tile) pattern.send(tile, {other}, words);
    }
  }
  return pattern;
}

ExchangePattern linearToBlocked(std::uint32_t tiles, std::uint64_t rows, std::uint64_t columns,
                                std::uint64_t block_columns) {
  ExchangePattern pattern(tiles);
  const std::uint64_t blocks_across = columns / block_columns;
  const std::uint64_t block_rows = rows * blocks_across / tiles;
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (std::uint64_t first = 0; first < columns;) {
      const std::uint64_t from = (row * columns + first) * tiles / (rows * columns);
      const std::uint64_t block = first / block_columns;
      std::uint64_t end = first + 1;
      while (end < columns && end / block_columns == block &&
             (row * columns + end) * tiles / (rows * columns) == from) {
        ++end;
      }
      const std::uint64_t to = std::min<std::uint64_t>(
          tiles - 1, row / std::max<std::uint64_t>(1, block_rows) * blocks_across + block);
      if (to != from) {
        pattern.send(static_cast<std::uint32_t>(from), {static_cast<std::uint32_t>(to)},
                     end - first);
      }
      first = end;
    }
  }
  return pattern;
}

ExchangePattern gather(std::uint32_t tiles, std::uint32_t messages, std::uint64_t longest) {
  ExchangePattern pattern(tiles);
  Random random;
  for (std::uint32_t m = 0; m < messages; ++m) {
    pattern.send(1 + random.below(tiles - 1), {0}, random.between(1, longest));
  }
  return pattern;
}

ExchangePattern broadcasts(std::uint32_t tiles, std::uint32_t senders, std::uint64_t words) {
  ExchangePattern pattern(tiles);
  for (std::uint32_t s = 0; s < senders; ++s) {
    std::vector<std::uint32_t> to;
    for (std::uint32_t t = 0; t < tiles; ++t) {
      if (t != s) to.push_back(t);
    }
    pattern.send(s, to, words);
  }
  return pattern;
}

}  // namespace ipusim::compiler
