// SPDX-License-Identifier: Apache-2.0
// Compares the speed of stages with fixed work in the same process. That takes out most of the
// speed of the machine, but not its caches: the same program has ratios of 1.12 and 1.96 on two
// machines. Each bound is 1.25 to 1.65 times the largest that was measured on an idle machine
// (docs/performance.md). A stage that takes twice as long fails where that was measured, and not on
// every machine. Load of the machine does not fail.

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "bench/best_times.h"
#include "bench/other_work.h"
#include "bench/supersteps.h"
#include "models/ipu/engines/chip/simulate_chip.h"
#include "models/ipu/engines/closed_form/closed_form.h"
#include "sim/compile/schedule/exchange_plan.h"
#include "sim/compile/schedule/exchange_schedule.h"
#include "sim/run/simulate.h"
#include "tests/support/exchange_patterns.h"
#include "workloads/sources/trace/trace_reader.h"
#include "workloads/sources/trace/trace_workload.h"
#include "workloads/sources/trace/trace_writer.h"

namespace ipusim::bench {
namespace {

constexpr int kTurns = 9;
constexpr int kRounds = 5;         // of so many turns, until a ratio is within its bound
constexpr double kMostBusy = 0.1;  // processors that others may use while a ratio over it counts
constexpr double kSteady = 1.1;    // how far the times of the same work may lie apart for that

/// Keeps freed memory in the process. The price of a fresh page is that of the kernel and of the
/// hypervisor below it, and the fixed kernel asks for none.
const bool g_keeps_memory =
    mallopt(M_TRIM_THRESHOLD, 1 << 30) == 1 && mallopt(M_MMAP_THRESHOLD, 1 << 30) == 1;

// Keeps results, so that no compiler leaves out the work.
volatile std::uint64_t g_kept = 0;

/// The fixed kernel: a chain of shifts, sums, and reads and writes that jump through half a MiB.
/// Each step needs the one before, so that compilers cannot make it faster than the processor is.
void kernel() {
  constexpr std::uint64_t kEntries = std::uint64_t{1} << 16;
  constexpr int kSteps = 2'000'000;
  std::vector<std::uint64_t> table(kEntries);
  std::uint64_t drawn = 1;
  for (int step = 0; step < kSteps; ++step) {
    drawn ^= drawn << 13;
    drawn ^= drawn >> 7;
    drawn ^= drawn << 17;
    drawn += table[drawn % kEntries];
    table[(drawn >> 32) % kEntries] = drawn | 1;
  }
  g_kept = drawn;
}

/// Expects that `work` takes at most `most` times as long as `measure`. Both are repeated until
/// that holds. Where it never does, the ratio counts only if the machine had nothing else to do.
void expectTimes(const std::string& stage, double most, const std::function<void()>& work,
                 const std::function<void()>& measure = kernel) {
  const OtherWork others;
  BestTimes best = bestByTurns(kTurns, measure, work);
  double slowest = best.first;
  for (int round = 1; round < kRounds && best.second > most * best.first; ++round) {
    const BestTimes again = bestByTurns(kTurns, measure, work);
    slowest = std::max(slowest, again.first);
    best = {std::min(best.first, again.first), std::min(best.second, again.second)};
  }
  const double ratio = best.second / best.first;
  std::cout << stage << ": " << ratio << " times " << best.first << " s\n";
  const double busy = others.processors();
  if (ratio > most && (busy > kMostBusy || slowest > kSteady * best.first)) {
    GTEST_SKIP() << "the machine is too loaded: others kept " << busy
                 << " processors busy, and the same work took up to " << slowest / best.first
                 << " times as long";
  }
  EXPECT_LE(ratio, most);
}

run::Experiment experimentOf(const std::string& config,
                             const std::vector<Override>& overrides = {}) {
  return run::prepare(ConfigReader::fromFile(config, overrides));
}

TEST(Ratios, ChipKeepsTwoFifthsOfTheSpeedOfBareSystemC) {
  const ChipPrograms& programs = supersteps();
  expectTimes(
      "chip", 2.5, [&programs] { g_kept = models::simulateChip(programs).end.value(); },
      bareMethods);
}

TEST(Ratios, ClosedFormOfSupersteps) {
  const ChipPrograms& programs = supersteps();
  expectTimes("closed form", 12,
              [&programs] { g_kept = models::closedForm(programs).end.value(); });
}

TEST(Ratios, ScheduleOfAnExchange) {
  const Machine machine = readPreset("gc200");
  const auto pattern = compiler::randomUnicasts(kTiles, 80'000, 64);
  const compiler::StreamSet set = streamsOf(machine, pattern.step(), pattern.blocks());
  expectTimes("schedule", 3, [&] { g_kept = searchSchedule(machine, set).length.value(); });
}

TEST(Ratios, ReadingOfATrace) {
  run::BuiltConfig built = run::build(ConfigReader::fromFile("configs/runs/butterfly.toml"));
  const workloads::Trace trace = workloads::traceOf(std::move(built.workload), built.workload_kind,
                                                    built.system.machineName());
  const std::string text = workloads::traceText(trace, built.system.allTiles());
  expectTimes("reading of a trace", 4.2, [&] {
    g_kept = workloads::parseTrace(text, "trace.ipt", built.system.allTiles())
                 .graph.computeSets()
                 .size();
  });
}

TEST(Ratios, LayoutOfMemory) {
  run::Experiment experiment = experimentOf("configs/runs/quickstart.toml");
  expectTimes("layout", 0.36, [&experiment] {
    Machine machine = experiment.executable.system.ipu;
    machine.code.stack += Bytes(4);
    ASSERT_EQ(compiler::firstToDiffer(experiment.executable.system.ipu, machine),
              compiler::Stage::Memory);
    compiler::recompile(experiment.executable, machine, experiment.workload.timing);
  });
}

TEST(Ratios, PlanAndCompilationOfAProduct) {
  expectTimes("product", 5.5, [] { experimentOf("configs/runs/quickstart.toml"); });
}

TEST(Ratios, CompilationOfAButterfly) {
  expectTimes("butterfly", 15, [] {
    experimentOf("configs/runs/butterfly.toml", {{"workload.features", "256"}});
  });
}

}  // namespace
}  // namespace ipusim::bench
