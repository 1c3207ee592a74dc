// SPDX-License-Identifier: Apache-2.0
#include "tests/chip/random_programs.h"

#include <algorithm>
#include <ostream>
#include <random>

#include "tests/chip/tile_builder.h"

namespace ipusim::models {

namespace {

constexpr std::uint32_t kSteps = 6;
constexpr std::uint32_t kDeepest = 3;  // how deep Repeats nest

/// A random source of this project: the distributions of <random> differ between libraries.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  /// A number in [0, sides).
  std::uint64_t roll(std::uint64_t sides) { return engine_() % sides; }
  std::uint32_t small(std::uint32_t sides) { return static_cast<std::uint32_t>(roll(sides)); }
  template <typename T>
  const T& choose(const std::vector<T>& list) {
    return list[roll(list.size())];
  }

 private:
  std::mt19937_64 engine_;
};

/// What all tiles share: Sync, HostTransfer, RepeatBegin and RepeatEnd.
std::vector<TileOp> drawBarriers(const ProgramShape& shape, ChipPrograms& chip, Dice& dice) {
  std::vector<TileOp> ops;
  std::uint32_t open = 0;
  for (std::uint32_t i = 0; i < shape.barriers; ++i) {
    const std::uint64_t face = dice.roll(6);
    if (face < 3) {
      ops.push_back({OpKind::Sync, StepId{dice.small(kSteps)}});
      if (dice.roll(4) > 0) continue;
      const auto transfer = static_cast<std::uint32_t>(chip.host_transfers.size());
      ops.push_back({OpKind::HostTransfer, StepId{dice.small(kSteps)}, transfer});
      chip.host_transfers.push_back({Cycles(dice.roll(2'000)), Bytes(1024), dice.roll(2) > 0});
    } else if (face < 5 && open < kDeepest) {
      ops.push_back({OpKind::RepeatBegin, {}, 0, 0, dice.choose(shape.iterations)});
      ++open;
    } else if (open > 0) {
      ops.push_back({OpKind::RepeatEnd});
      --open;
    }
  }
  ops.insert(ops.end(), open, TileOp{OpKind::RepeatEnd});
  return ops;
}

std::vector<VertexRun> drawVertices(Dice& dice) {
  static const std::vector<std::uint32_t> kCounts = {0, 1, 2, 5, 6, 7, 13, 40, 700};
  static const std::vector<std::uint64_t> kMostCycles = {1, 3, 20, 20, 100, 5000};
  std::vector<VertexRun> runs(dice.roll(5));
  for (VertexRun& run : runs) {
    run.kind = dice.roll(5) == 0 ? VertexKind::Supervisor : VertexKind::Worker;
    run.count = dice.choose(kCounts);
    run.cycles = Cycles(dice.roll(dice.choose(kMostCycles) + 1));
  }
  return runs;
}

/// The cycles from which the ports of the tiles are free, one entry per tile.
struct FreePorts {
  explicit FreePorts(std::size_t tiles) : send(tiles), receive(tiles) {}

  std::vector<Cycles> send;
  std::vector<Cycles> receive;
};

/// Draws the receivers, and now and then a lender, of a message.
Message drawEnds(const std::vector<std::uint32_t>& talkers, Dice& dice) {
  Message message{};
  message.from = dice.choose(talkers);
  for (std::uint64_t listeners = 1 + dice.roll(4); listeners > 0; --listeners) {
    const std::uint32_t tile = dice.choose(talkers);
    const auto found = std::find(message.to.begin(), message.to.end(), tile);
    if (found == message.to.end()) message.to.push_back(tile);
  }
  const std::uint32_t lender = dice.choose(talkers);
  if (dice.roll(5) == 0 && lender != message.from) message.lenders = {lender};
  return message;
}

/// Puts the message at a time when all its ports are free.
void place(Message& message, FreePorts& free, Dice& dice) {
  std::vector<std::uint32_t> senders = message.lenders;
  senders.push_back(message.from);
  for (const std::uint32_t t : senders) message.start = std::max(message.start, free.send[t]);
  for (const std::uint32_t t : message.to) message.start = std::max(message.start, free.receive[t]);
  message.start += Cycles(dice.roll(3) * dice.roll(20));
  message.length = Cycles(1 + dice.roll(200));
  message.control = Cycles(dice.roll(2) * dice.roll(6));
  const Cycles sent = message.start + message.length;
  for (const std::uint32_t t : senders) free.send[t] = sent;
  for (const std::uint32_t t : message.to) free.receive[t] = sent + message.control;
}

/// What the tiles do between two barriers: the numbers of the exchanges, in order.
using Between = std::vector<std::uint32_t>;

Between drawExchanges(const std::vector<std::uint32_t>& talkers, ChipPrograms& chip, Dice& dice) {
  Between exchanges;
  if (talkers.empty()) return exchanges;
  FreePorts free(chip.timing.sync_distance.size());
  for (std::uint64_t count = dice.roll(3); count > 0; --count) {
    Messages messages;
    for (std::uint64_t m = dice.roll(talkers.size() + 3); m > 0; --m) {
      messages.push_back(drawEnds(talkers, dice));
      place(messages.back(), free, dice);
    }
    exchanges.push_back(addExchange(chip, messages));
  }
  return exchanges;
}

/// Removes messages from exchanges in which two would meet, or before which no Sync came.
class Unclash {
 public:
  Unclash(ChipPrograms& chip, const std::vector<TileOp>& barriers,
          const std::vector<Between>& between)
      : chip_(chip),
        barriers_(barriers),
        between_(between),
        free_(chip.timing.sync_distance.size()) {}

  void run() { block(0); }

 private:
  /// Walks the barriers from `at` to the end of their Repeat, and returns that place. A body is
  /// walked twice, which shows all that it can do.
  std::size_t block(std::size_t at) {
    for (;; ++at) {
      for (const std::uint32_t exchange : between_[at]) clear(chip_.exchanges[exchange]);
      if (at == barriers_.size() || barriers_[at].kind == OpKind::RepeatEnd) return at;
      if (barriers_[at].kind == OpKind::Sync) {
        synced_ = true;
        free_ = FreePorts(free_.send.size());
      } else if (barriers_[at].kind == OpKind::RepeatBegin) {
        if (barriers_[at].iterations > 1) block(at + 1);
        at = block(at + 1);
      }
    }
  }

  void clear(Exchange& exchange) {
    FreePorts after = free_;
    bool clear = synced_;
    for (std::uint32_t t = exchange.first; t < exchange.first + exchange.count; ++t) {
      const Transmission& message = chip_.transmissions[t];
      const Cycles sent = message.start + message.length;
      const auto take = [&](Cycles& port, Cycles end) {
        clear = clear && message.start >= port;
        port = end;
      };
      take(after.send[message.from.tile()], sent);
      for (const TileId tile : chip_.lendersOf(message)) take(after.send[tile.tile()], sent);
      for (const TileId tile : chip_.receiversOf(message)) {
        take(after.receive[tile.tile()], sent + message.control);
      }
    }
    if (clear) {
      free_ = after;
    } else {
      exchange.count = 0;
    }
  }

  ChipPrograms& chip_;
  const std::vector<TileOp>& barriers_;
  const std::vector<Between>& between_;
  bool synced_ = false;
  FreePorts free_;
};

/// Adds the tile's own Computes around the exchanges.
void drawBetween(TileBuilder& tile, const Between& exchanges, std::uint32_t exchange_step,
                 Dice& dice) {
  const auto computes = [&tile, &dice] {
    for (std::uint64_t ops = dice.roll(3); ops > 0; --ops) {
      tile.compute(dice.small(kSteps), drawVertices(dice));
    }
    if (dice.roll(6) == 0) tile.computeMeasured(dice.small(kSteps), Cycles(dice.roll(3'000)));
    if (dice.roll(6) == 0) tile.exchangeMeasured(dice.small(kSteps), Cycles(dice.roll(300)));
  };
  computes();
  for (const std::uint32_t exchange : exchanges) {
    tile.exchange(exchange_step, exchange);
    computes();
  }
}

/// One fifth of the tiles takes part in the barriers only.
std::vector<std::uint32_t> drawTalkers(std::uint32_t tiles, Dice& dice) {
  std::vector<std::uint32_t> talkers;
  for (std::uint32_t tile = 0; tile < tiles; ++tile) {
    if (dice.roll(5) > 0) talkers.push_back(tile);
  }
  return talkers;
}

TileProgram drawTile(const std::vector<TileOp>& barriers, const std::vector<Between>& between,
                     std::uint64_t seed) {
  Dice dice(seed);
  TileBuilder tile;
  for (std::size_t at = 0; at <= barriers.size(); ++at) {
    drawBetween(tile, between[at], static_cast<std::uint32_t>(at) % kSteps, dice);
    if (at < barriers.size()) tile.meet(barriers[at]);
  }
  return tile.program();
}

ChipTiming drawTiming(std::uint32_t tiles, Dice& dice) {
  ChipTiming timing;
  timing.workers = dice.roll(3) > 0 ? 6 : 1 + dice.small(8);
  timing.vertex_launch = Cycles(dice.roll(2) * dice.roll(40));
  timing.supervisor_call = Cycles(dice.roll(20));
  timing.compute_set_entry = Cycles(dice.roll(2) * dice.roll(30));
  timing.sync_base = Cycles(dice.roll(2) * dice.roll(100));
  const std::uint64_t farthest = dice.choose<std::uint64_t>({1, 10, 200});
  for (std::uint32_t tile = 0; tile < tiles; ++tile) {
    timing.sync_distance.emplace_back(dice.roll(farthest));
  }
  return timing;
}

/// Appends ops [op, RepeatEnd) of `from` to `to` with Repeats written out. Returns the place of
/// RepeatEnd.
std::size_t unrollBlock(const std::vector<TileOp>& from, std::size_t op, std::vector<TileOp>& to) {
  for (; op < from.size() && from[op].kind != OpKind::RepeatEnd; ++op) {
    if (from[op].kind != OpKind::RepeatBegin) {
      to.push_back(from[op]);
      continue;
    }
    const std::uint64_t iterations = from[op].iterations;
    std::size_t end = op;
    for (std::uint64_t i = 0; i < iterations; ++i) end = unrollBlock(from, op + 1, to);
    op = end;
  }
  return op;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const ProgramShape& shape) {
  out << shape.tiles << " tiles, " << shape.barriers << " barriers, seed " << shape.seed
      << ", iterations of";
  for (const std::uint64_t iterations : shape.iterations) out << ' ' << iterations;
  return out;
}

ChipPrograms randomPrograms(const ProgramShape& shape) {
  Dice dice(shape.seed);
  ChipPrograms programs;
  programs.steps = kSteps;
  programs.timing = drawTiming(shape.tiles, dice);
  const std::vector<TileOp> barriers = drawBarriers(shape, programs, dice);
  const std::vector<std::uint32_t> talkers = drawTalkers(shape.tiles, dice);
  std::vector<Between> between;
  for (std::size_t at = 0; at <= barriers.size(); ++at) {
    between.push_back(drawExchanges(talkers, programs, dice));
  }
  Unclash(programs, barriers, between).run();
  TileBuilder idle;
  for (const TileOp& barrier : barriers) idle.meet(barrier);
  programs.tiles.resize(shape.tiles, idle.program());
  for (const std::uint32_t tile : talkers) {
    programs.tiles[tile] = drawTile(barriers, between, dice.roll(~std::uint64_t{0}));
  }
  return programs;
}

ChipPrograms unrolled(const ChipPrograms& programs) {
  ChipPrograms result = programs;
  for (TileProgram& tile : result.tiles) {
    std::vector<TileOp> ops;
    unrollBlock(tile.ops.items(), 0, ops);
    tile.ops = std::move(ops);
  }
  return result;
}

}  // namespace ipusim::models
