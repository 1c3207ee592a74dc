// SPDX-License-Identifier: Apache-2.0
// Compares the speed of stages with fixed work in the same process, so that no figure depends on
// how fast the machine is. Each bound is 1.25 to 1.65 times what was measured
// (docs/performance.md), so a stage that takes twice as long fails.

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "bench/best_times.h"
#include "bench/supersteps.h"
#include "ipusim/chip/simulate_chip.h"
#include "models/ipu/closed_form/closed_form.h"
#include "sim/compile/exchange_plan.h"
#include "sim/compile/exchange_schedule.h"
#include "sim/run/simulate.h"
#include "tests/support/exchange_patterns.h"
#include "workloads/sources/trace/trace_reader.h"
#include "workloads/sources/trace/trace_workload.h"
#include "workloads/sources/trace/trace_writer.h"

namespace ipusim::bench {
namespace {

constexpr int kTurns = 9;

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

/// The time of the stage, in multiples of the kernel's time.
double timesOfKernel(const std::string& stage, const std::function<void()>& work) {
  const BestTimes best = bestByTurns(kTurns, kernel, work);
  const double ratio = best.second / best.first;
  std::cout << stage << ": " << ratio << " of the kernel's " << best.first << " s\n";
  return ratio;
}

run::Experiment experimentOf(const std::string& config,
                             const std::vector<Override>& overrides = {}) {
  return run::prepare(ConfigReader::fromFile(config, overrides));
}

TEST(Ratios, ChipKeepsTwoFifthsOfTheSpeedOfBareSystemC) {
  const ChipPrograms& programs = supersteps();
  const BestTimes best = bestByTurns(kTurns, bareMethods,
                                     [&programs] { g_kept = simulateChip(programs).end.value(); });
  const double ratio = best.first / best.second;
  std::cout << "chip: " << ratio << " of the bare loop's speed\n";
  EXPECT_GE(ratio, 0.4);
}

TEST(Ratios, ClosedFormOfSupersteps) {
  const ChipPrograms& programs = supersteps();
  EXPECT_LE(timesOfKernel("closed form",
                          [&programs] { g_kept = models::closedForm(programs).end.value(); }),
            9);
}

TEST(Ratios, ScheduleOfAnExchange) {
  const Machine machine = readPreset("gc200");
  const auto pattern = compiler::randomUnicasts(kTiles, 80'000, 64);
  const compiler::StreamSet set = streamsOf(machine, pattern.step(), pattern.blocks());
  EXPECT_LE(
      timesOfKernel("schedule", [&] { g_kept = searchSchedule(machine, set).length.value(); }),
      1.7);
}

TEST(Ratios, ReadingOfATrace) {
  run::BuiltConfig built = run::build(ConfigReader::fromFile("configs/runs/butterfly.toml"));
  const workloads::Trace trace =
      workloads::traceOf(std::move(built.workload), built.workload_kind, built.machine.name);
  const std::string text = workloads::traceText(trace, built.machine);
  EXPECT_LE(
      timesOfKernel(
          "reading of a trace",
          [&] {
            g_kept =
                workloads::parseTrace(text, "trace.ipt", built.machine).graph.computeSets().size();
          }),
      4.2);
}

TEST(Ratios, LayoutOfMemory) {
  run::Experiment experiment = experimentOf("configs/runs/quickstart.toml");
  EXPECT_LE(timesOfKernel(
                "layout",
                [&experiment] {
                  Machine machine = experiment.executable.machine;
                  machine.code.stack += Bytes(4);
                  ASSERT_EQ(compiler::firstToDiffer(experiment.executable.machine, machine),
                            compiler::Stage::Memory);
                  compiler::recompile(experiment.executable, machine, experiment.workload.timing);
                }),
            0.36);
}

TEST(Ratios, PlanAndCompilationOfAProduct) {
  EXPECT_LE(timesOfKernel("product", [] { experimentOf("configs/runs/quickstart.toml"); }), 5.5);
}

TEST(Ratios, CompilationOfAButterfly) {
  EXPECT_LE(
      timesOfKernel("butterfly",
                    [] {
                      experimentOf("configs/runs/butterfly.toml", {{"workload.features", "256"}});
                    }),
      15);
}

}  // namespace
}  // namespace ipusim::bench
