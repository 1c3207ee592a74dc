// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <array>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <numeric>

#include "base/files/disk_cache.h"
#include "sim/studies/sweep/processes/work_queue.h"
#include "sim/studies/sweep/run_sweep.h"

// The points per second of a sweep: 32 matmuls (to 1024) by 8 values of a key that no plan depends
// on. The whole way from the config to the row runs on one core. The first of the 8 values is cold.
// The others are warm: they repeat only the stage of the compilation that reads the key, and later
// stages. Figures are CPU seconds, except for the processes side by side.

namespace ipusim::sweep {
namespace {

constexpr std::uint64_t kValues = 8;
constexpr std::uint64_t kCacheBytes = std::uint64_t{1} << 30U;

/// A sweep in which `key` takes eight values from `first` on.
Sweep sweepOver(const std::string& key, int first) {
  std::string values;
  for (std::uint64_t i = 0; i < kValues; ++i) {
    values += (i == 0 ? "" : ", ") + std::to_string(first + static_cast<int>(i));
  }
  return readSweep(ConfigReader::fromText(
      "run = \"configs/runs/matmul.toml\"\nzip = [[\"workload.m\", \"workload.k\"]]\n[axes]\n"
      "workload.m = [64, 128, 192, 256, 384, 512, 768, 1024]\n"
      "workload.k = [64, 128, 192, 256, 384, 512, 768, 1024]\n"
      "workload.n = [64, 256, 512, 1024]\n" +
          key + " = [" + values + "]\n",
      "bench"));
}

double cpuSeconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

void points(benchmark::State& state, const char* key, int first, Engine engine) {
  const Sweep sweep = sweepOver(key, first);
  double cold = 0;
  double warm = 0;
  for (auto _ : state) {
    cold = warm = 0;
    const Evaluate evaluate = evaluatorOf(sweep, engine);
    for (std::uint64_t point = 0; point < sweep.numbers(); ++point) {
      const double begin = cpuSeconds();
      benchmark::DoNotOptimize(evaluate(point));
      (point % kValues == 0 ? cold : warm) += cpuSeconds() - begin;
    }
  }
  const auto all = static_cast<double>(sweep.numbers());
  state.counters["cold_per_s"] = all / kValues / cold;
  state.counters["warm_per_s"] = all * (kValues - 1) / kValues / warm;
  state.counters["points_per_s"] = all / (cold + warm);
}
BENCHMARK_CAPTURE(points, read_by_no_stage_of_the_compiler, "machine.sync_base_cycles", 20,
                  Engine::ClosedForm)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);
BENCHMARK_CAPTURE(points, read_when_memory_is_laid_out, "machine.exchange_per_send_bytes", 4,
                  Engine::ClosedForm)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);
BENCHMARK_CAPTURE(points, read_when_exchanges_are_scheduled, "machine.start_delay_longest_cycles",
                  182, Engine::ClosedForm)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);
BENCHMARK_CAPTURE(points, systemc, "machine.sync_base_cycles", 20, Engine::SystemC)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

/// Computes points with a disk cache. The first pass fills the folder, and the second pass finds
/// all results.
void pointsOfDisk(benchmark::State& state) {
  const Sweep sweep = sweepOver("machine.sync_base_cycles", 20);
  const auto folder = std::filesystem::temp_directory_path() / "ipusim_bench_sweep_cache";
  const auto pass = [&] {
    DiskCache cache({folder, kCacheBytes, "bench", [](const std::string&) {}});
    useDiskCache(&cache);
    const Evaluate evaluate = evaluatorOf(sweep, Engine::ClosedForm);
    const double begin = cpuSeconds();
    for (std::uint64_t point = 0; point < sweep.numbers(); ++point) {
      benchmark::DoNotOptimize(evaluate(point));
    }
    useDiskCache(nullptr);
    return static_cast<double>(sweep.numbers()) / (cpuSeconds() - begin);
  };
  for (auto _ : state) {
    std::filesystem::remove_all(folder);
    state.counters["filling_per_s"] = pass();
    state.counters["kept_per_s"] = pass();
  }
  std::filesystem::remove_all(folder);
}
BENCHMARK(pointsOfDisk)->Unit(benchmark::kMillisecond)->Iterations(1);

/// The wall time of one process over that of two.
void twoProcesses(benchmark::State& state) {
  const Sweep sweep = sweepOver("machine.start_delay_longest_cycles", 182);
  std::vector<std::uint64_t> all(sweep.numbers());
  std::iota(all.begin(), all.end(), 0);
  std::array<double, 2> seconds{};
  for (auto _ : state) {
    for (std::uint64_t jobs = 1; jobs <= 2; ++jobs) {
      WorkerPool pool({jobs, {}}, evaluatorOf(sweep, Engine::ClosedForm));
      WorkQueue queue(sweep, all);
      const auto begin = std::chrono::steady_clock::now();
      pool.compute({[&](std::optional<std::uint64_t> last) { return queue.next(last); },
                    [](std::uint64_t, const PointResult&) {}, [] { return StopRequest::None; }});
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
      seconds.at(jobs - 1) = taken.count();
    }
  }
  state.counters["speedup"] = seconds[0] / seconds[1];
}
BENCHMARK(twoProcesses)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace ipusim::sweep
