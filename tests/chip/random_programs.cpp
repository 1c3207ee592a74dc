// SPDX-License-Identifier: Apache-2.0
#include "tests/chip/random_programs.h"

#include <algorithm>
#include <ostream>
#include <random>

#include "tests/chip/tile_builder.h"

namespace ipusim::models {

namespace {

constexpr std::uint32_t kSteps = 6;
constexpr std::uint32_t kDeepest = 3;  // Repeats in Repeats

/// A dice of our own: the distributions of <random> differ between libraries.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  /// In [0, sides).
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
std::vector<TileOp> drawMeetings(const ProgramShape& shape, Dice& dice) {
  TileBuilder tile;
  std::uint32_t open = 0;
  for (std::uint32_t i = 0; i < shape.meetings; ++i) {
    const std::uint64_t face = dice.roll(6);
    if (face < 3) {
      tile.sync(dice.small(kSteps));
      if (dice.roll(4) == 0) tile.hostTransfer(dice.small(kSteps), Cycles(dice.roll(2'000)));
    } else if (face < 5 && open < kDeepest) {
      tile.repeat(dice.choose(shape.iterations));
      ++open;
    } else if (open > 0) {
      tile.end();
      --open;
    }
  }
  for (; open > 0; --open) tile.end();
  return tile.program().ops;
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

std::vector<PortUse> drawUses(Dice& dice) {
  std::vector<PortUse> uses(dice.roll(4));
  Cycles free(dice.roll(300));
  for (PortUse& use : uses) {
    use.start = free + Cycles(dice.roll(3) * dice.roll(20));
    use.cycles = Cycles(1 + dice.roll(200));
    free = use.start + use.cycles;
  }
  return uses;
}

void drawBetween(TileBuilder& tile, Dice& dice) {
  for (std::uint64_t ops = dice.roll(4); ops > 0; --ops) {
    if (dice.roll(3) > 0) {
      tile.compute(dice.small(kSteps), drawVertices(dice));
    } else {
      tile.exchange(dice.small(kSteps), drawUses(dice), drawUses(dice));
    }
  }
}

/// Takes the messages out of the Exchanges in which two would meet, or none was released.
class Unclash {
 public:
  explicit Unclash(TileProgram& program) : program_(program) { block(0); }

 private:
  /// Walks the ops from `op` to the end of its Repeat; returns where that is. A body is walked
  /// twice: what it can do, it does then.
  std::size_t block(std::size_t op) {
    for (; op < program_.ops.size() && program_.ops[op].kind != OpKind::RepeatEnd; ++op) {
      const TileOp& here = program_.ops[op];
      if (here.kind == OpKind::Sync) {
        synced_ = true;
        send_free_ = receive_free_ = Cycles(0);
      } else if (here.kind == OpKind::Exchange) {
        exchange(program_.ops[op]);
      } else if (here.kind == OpKind::RepeatBegin) {
        if (here.iterations > 1) block(op + 1);
        op = block(op + 1);
      }
    }
    return op;
  }

  void exchange(TileOp& op) {
    if (!clear(program_.sends, op.first, op.count, send_free_)) op.count = 0;
    if (!clear(program_.receives, op.first_receive, op.receive_count, receive_free_)) {
      op.receive_count = 0;
    }
  }

  [[nodiscard]] bool clear(const std::vector<PortUse>& uses, std::uint32_t first,
                           std::uint32_t count, Cycles& free) const {
    if (count == 0) return true;
    if (!synced_ || uses[first].start < free) return false;
    free = uses[first + count - 1].start + uses[first + count - 1].cycles;
    return true;
  }

  TileProgram& program_;
  bool synced_ = false;
  Cycles send_free_;
  Cycles receive_free_;
};

TileProgram drawTile(const std::vector<TileOp>& meetings, std::uint64_t seed) {
  Dice dice(seed);
  const bool idle = dice.roll(5) == 0;
  TileBuilder tile;
  for (const TileOp& meeting : meetings) {
    if (!idle) drawBetween(tile, dice);
    tile.meet(meeting);
  }
  if (!idle) drawBetween(tile, dice);
  TileProgram program = tile.program();
  Unclash{program};
  return program;
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

/// Appends ops [op, RepeatEnd) of `from` to `to`, Repeats written out. Returns where RepeatEnd is.
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
  out << shape.tiles << " tiles, " << shape.meetings << " meetings, seed " << shape.seed
      << ", iterations of";
  for (const std::uint64_t iterations : shape.iterations) out << ' ' << iterations;
  return out;
}

ChipPrograms randomPrograms(const ProgramShape& shape) {
  Dice dice(shape.seed);
  const std::vector<TileOp> meetings = drawMeetings(shape, dice);
  ChipPrograms programs;
  programs.timing = drawTiming(shape.tiles, dice);
  programs.steps = kSteps;
  for (std::uint32_t tile = 0; tile < shape.tiles; ++tile) {
    programs.tiles.push_back(drawTile(meetings, dice.roll(~std::uint64_t{0})));
  }
  return programs;
}

ChipPrograms unrolled(const ChipPrograms& programs) {
  ChipPrograms result = programs;
  for (TileProgram& tile : result.tiles) {
    std::vector<TileOp> ops;
    unrollBlock(tile.ops, 0, ops);
    tile.ops = std::move(ops);
  }
  return result;
}

}  // namespace ipusim::models
