// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include "sim/compile/schedule/exchange_plan.h"
#include "sim/compile/schedule/exchange_schedule.h"
#include "tests/support/exchange_patterns.h"

// The cost of scheduling an exchange, and how far the schedule is from the port bound. A phase of
// 20,000 messages should take at most 5 ms and come within 1.2 of the bound.

namespace ipusim::compiler {
namespace {

constexpr std::uint32_t kTiles = 1472;

void schedule(benchmark::State& state, const ExchangePattern& pattern) {
  static const Machine kMachine = readPreset("gc200");
  const StreamSet set = streamsOf(kMachine, pattern.step(), pattern.blocks());
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        searchSchedule(kMachine, streamsOf(kMachine, pattern.step(), pattern.blocks())));
  }
  const auto bound = static_cast<double>(portBound(set, kTiles).value());
  const auto length = static_cast<double>(searchSchedule(kMachine, set).length.value());
  state.counters["messages"] = static_cast<double>(pattern.step().messages.size());
  state.counters["streams"] = static_cast<double>(set.streams.size());
  state.counters["of_bound"] = length / bound;
}

void scheduleRandom(benchmark::State& state) {
  schedule(state, randomUnicasts(kTiles, static_cast<std::uint32_t>(state.range(0)), 64));
}
BENCHMARK(scheduleRandom)->Arg(20'000)->Arg(80'000)->Arg(320'000)->Unit(benchmark::kMillisecond);

void schedulePermutations(benchmark::State& state) {
  schedule(state, permutations(kTiles, 14, 20, 20));
}
BENCHMARK(schedulePermutations)->Unit(benchmark::kMillisecond);

void scheduleGridOfMulticasts(benchmark::State& state) {
  schedule(state, gridOfMulticasts(56, 26, 7, 50, 200));
}
BENCHMARK(scheduleGridOfMulticasts)->Unit(benchmark::kMillisecond);

void scheduleRandomMulticasts(benchmark::State& state) {
  schedule(state, randomMulticasts(kTiles, static_cast<std::uint32_t>(state.range(0)), 8, 64));
}
BENCHMARK(scheduleRandomMulticasts)->Arg(2'000)->Arg(20'000)->Unit(benchmark::kMillisecond);

void scheduleReductions(benchmark::State& state) {
  schedule(state, reductions(kTiles, 13, 7, 50));
}
BENCHMARK(scheduleReductions)->Unit(benchmark::kMillisecond);

void scheduleLinearToBlocked(benchmark::State& state) {
  schedule(state, linearToBlocked(kTiles, 1000, 1000, 50));
}
BENCHMARK(scheduleLinearToBlocked)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ipusim::compiler
