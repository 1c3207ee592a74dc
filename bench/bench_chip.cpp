// SPDX-License-Identifier: Apache-2.0
// Compares the speed of the chip with that of bare SystemC. The bare loop only wakes up: one
// process per tile, one wait per step, all tiles in step. The chip runs supersteps of compute, sync
// and exchange, and its tiles drift apart. Both count tile-steps per second, elaboration included.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <limits>
#include <memory>
#include <systemc>
#include <vector>

#include "ipusim/chip/simulate_chip.h"
#include "models/ipu/closed_form/closed_form.h"

int sc_main(int /*argc*/, char* /*argv*/[]) {
  return 0;
}

namespace ipusim::models {
namespace {

using namespace ipusim::literals;

constexpr std::uint32_t kTiles = 1472;  // as on a GC200
constexpr std::uint32_t kSupersteps = 667;
constexpr std::uint32_t kSteps = 3 * kSupersteps;  // a superstep has Compute, Sync and Exchange
constexpr std::uint64_t kTileSteps = std::uint64_t{kTiles} * kSteps;

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

/// The timing of configs/machines/gc200.toml, with the sync controller in the corner.
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

/// CPU seconds of this process, which leave out other work of the machine as far as possible.
double cpuSecondsFor(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Runs the chip and the bare loop by turns, and takes the best time of each: other work of the
/// machine slows both alike.
void chipAgainstBareLoop(benchmark::State& state) {
  double bare = std::numeric_limits<double>::infinity();
  double chip = bare;
  supersteps();
  for (auto _ : state) {
    bare = std::min(bare, cpuSecondsFor(bareLoop<BareMethod>));
    chip =
        std::min(chip, cpuSecondsFor([] { benchmark::DoNotOptimize(simulateChip(supersteps())); }));
  }
  state.counters["bare_tile_steps_per_s"] = static_cast<double>(kTileSteps) / bare;
  state.counters["chip_tile_steps_per_s"] = static_cast<double>(kTileSteps) / chip;
  state.counters["chip_of_bare"] = bare / chip;
}
BENCHMARK(chipAgainstBareLoop)->Unit(benchmark::kMillisecond)->Iterations(9);

void count(benchmark::State& state, std::uint64_t tile_steps) {
  state.counters["tile_steps_per_s"] = benchmark::Counter(
      static_cast<double>(tile_steps), benchmark::Counter::kIsIterationInvariantRate);
}

void bareMethods(benchmark::State& state) {
  for (auto _ : state) bareLoop<BareMethod>();
  count(state, kTileSteps);
}
BENCHMARK(bareMethods)->Unit(benchmark::kMillisecond);

void bareThreads(benchmark::State& state) {
  for (auto _ : state) bareLoop<BareThread>();
  count(state, kTileSteps);
}
BENCHMARK(bareThreads)->Unit(benchmark::kMillisecond);

void closedFormOfSupersteps(benchmark::State& state) {
  supersteps();
  for (auto _ : state) benchmark::DoNotOptimize(closedForm(supersteps()));
  count(state, kTileSteps);
}
BENCHMARK(closedFormOfSupersteps)->Unit(benchmark::kMillisecond);

/// A million equal vertices on every tile, in one Compute. They cost the closed form as much as
/// ten.
void closedFormOfAMillionVertices(benchmark::State& state) {
  ChipPrograms programs;
  programs.timing = gc200Timing();
  programs.steps = 1;
  TileProgram program;
  program.vertices = {{VertexKind::Worker, 1'000'000, 20_cycles}};
  program.ops = {{OpKind::Compute, StepId{0}, 0, 1}};
  programs.tiles.assign(kTiles, program);
  for (auto _ : state) benchmark::DoNotOptimize(closedForm(programs));
  count(state, kTiles);
}
BENCHMARK(closedFormOfAMillionVertices)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace ipusim::models

BENCHMARK_MAIN();
