// SPDX-License-Identifier: Apache-2.0
// Compares the speed of the chip with that of bare SystemC. Both count tile-steps per second,
// elaboration included.

#include <benchmark/benchmark.h>

#include <systemc>

#include "bench/best_times.h"
#include "bench/supersteps.h"
#include "models/ipu/engines/chip/simulate_chip.h"
#include "models/ipu/engines/closed_form/closed_form.h"

int sc_main(int /*argc*/, char* /*argv*/[]) {
  return 0;
}

namespace ipusim::models {
namespace {

using namespace ipusim::literals;

void chipAgainstBareLoop(benchmark::State& state) {
  constexpr int kTurns = 9;
  bench::BestTimes best;
  const ChipPrograms& programs = bench::supersteps();
  for (auto _ : state) {
    best = bench::bestByTurns(kTurns, bench::bareMethods,
                              [&programs] { benchmark::DoNotOptimize(simulateChip(programs)); });
  }
  const double bare = best.first;
  const double chip = best.second;
  state.counters["bare_tile_steps_per_s"] = static_cast<double>(bench::kTileSteps) / bare;
  state.counters["chip_tile_steps_per_s"] = static_cast<double>(bench::kTileSteps) / chip;
  state.counters["chip_of_bare"] = bare / chip;
}
BENCHMARK(chipAgainstBareLoop)->Unit(benchmark::kMillisecond)->Iterations(1);

void count(benchmark::State& state, std::uint64_t tile_steps) {
  state.counters["tile_steps_per_s"] = benchmark::Counter(
      static_cast<double>(tile_steps), benchmark::Counter::kIsIterationInvariantRate);
}

void bareMethods(benchmark::State& state) {
  for (auto _ : state) bench::bareMethods();
  count(state, bench::kTileSteps);
}
BENCHMARK(bareMethods)->Unit(benchmark::kMillisecond);

void bareThreads(benchmark::State& state) {
  for (auto _ : state) bench::bareThreads();
  count(state, bench::kTileSteps);
}
BENCHMARK(bareThreads)->Unit(benchmark::kMillisecond);

void closedFormOfSupersteps(benchmark::State& state) {
  bench::supersteps();
  for (auto _ : state) benchmark::DoNotOptimize(closedForm(bench::supersteps()));
  count(state, bench::kTileSteps);
}
BENCHMARK(closedFormOfSupersteps)->Unit(benchmark::kMillisecond);

/// Runs a million equal vertices on every tile, in one Compute. The closed form needs as long for a
/// million as for ten.
void closedFormOfAMillionVertices(benchmark::State& state) {
  ChipPrograms programs;
  programs.timing = bench::gc200Timing();
  programs.steps = 1;
  TileProgram program;
  program.vertices = {{VertexKind::Worker, 1'000'000, 20_cycles}};
  program.ops = {{OpKind::Compute, StepId{0}, 0, 1}};
  programs.tiles.assign(bench::kTiles, program);
  for (auto _ : state) benchmark::DoNotOptimize(closedForm(programs));
  count(state, bench::kTiles);
}
BENCHMARK(closedFormOfAMillionVertices)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace ipusim::models

BENCHMARK_MAIN();
