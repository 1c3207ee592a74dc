// SPDX-License-Identifier: Apache-2.0
#include "bench/supersteps.h"

#include <memory>
#include <systemc>
#include <utility>
#include <vector>

namespace ipusim::bench {
namespace {

using namespace ipusim::literals;

class BareMethod : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(BareMethod);
  explicit BareMethod(const sc_core::sc_module_name& name) : sc_module(name) { SC_METHOD(run); }

 private:
  void run() {
    if (steps_left_-- > 0) next_trigger(sc_core::sc_time::from_value(100));
  }
  std::int64_t steps_left_ = kSteps;
};

class BareThread : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(BareThread);
  explicit BareThread(const sc_core::sc_module_name& name) : sc_module(name) { SC_THREAD(run); }

 private:
  void run() {
    for (std::uint32_t step = 0; step < kSteps; ++step) wait(sc_core::sc_time::from_value(100));
  }
};

template <typename Process>
void bareLoop() {
  {
    std::vector<std::unique_ptr<Process>> tiles;
    for (std::uint32_t tile = 0; tile < kTiles; ++tile) {
      tiles.push_back(std::make_unique<Process>(sc_core::sc_gen_unique_name("tile")));
    }
    sc_core::sc_start();
  }
  sc_core::sc_get_curr_simcontext()->reset();
}

/// Six to twelve vertices per Compute, one message out and two in. All tiles differ.
TileProgram superstepsOf(std::uint32_t tile) {
  TileProgram program;
  std::vector<TileOp> ops;
  program.vertices = {{VertexKind::Worker, 6 + tile % 7, Cycles(20 + tile * 7 % 13)}};
  for (std::uint32_t step = 0; step < kSteps; step += 3) {
    ops.push_back({OpKind::Compute, StepId{step}, 0, 1});
    ops.push_back({OpKind::Sync, StepId{step + 1}});
    ops.push_back({OpKind::Exchange, StepId{step + 2}});
  }
  program.ops = std::move(ops);
  return program;
}

/// Every tile sends to the next two tiles: first the even tiles, then the odd ones.
void addExchange(ChipPrograms& chip) {
  chip.exchanges = {{0, kTiles}};
  for (std::uint32_t i = 0; i < kTiles; ++i) {
    const bool first = i < kTiles / 2;
    const std::uint32_t tile = first ? 2 * i : 2 * i - kTiles + 1;
    const auto first_tile = static_cast<std::uint32_t>(chip.transmission_tiles.size());
    const Cycles length(10 + tile % 31);
    chip.transmissions.push_back({TileId(tile), first_tile, 0, 2, Cycles(first ? 60 : 100), length,
                                  Cycles(0), Bytes(4 * length.value())});
    chip.transmission_tiles.emplace_back((tile + 1) % kTiles);
    chip.transmission_tiles.emplace_back((tile + 2) % kTiles);
  }
}

}  // namespace

void bareMethods() {
  bareLoop<BareMethod>();
}

void bareThreads() {
  bareLoop<BareThread>();
}

ChipTiming gc200Timing() {
  ChipTiming timing;
  timing.vertex_launch = 6_cycles;
  timing.supervisor_call = 6_cycles;
  timing.compute_set_entry = 20_cycles;
  timing.sync_base = 25_cycles;
  for (std::uint32_t tile = 0; tile < kTiles; ++tile) {
    timing.sync_distance.emplace_back(5 * (tile / 92) + 4 * (tile % 92 / 4));
  }
  return timing;
}

const ChipPrograms& supersteps() {
  static const ChipPrograms kPrograms = [] {
    ChipPrograms chip;
    chip.timing = gc200Timing();
    chip.steps = kSteps;
    addExchange(chip);
    for (std::uint32_t tile = 0; tile < kTiles; ++tile) chip.tiles.push_back(superstepsOf(tile));
    shareEqualOps(chip.tiles);
    return chip;
  }();
  return kPrograms;
}

}  // namespace ipusim::bench
