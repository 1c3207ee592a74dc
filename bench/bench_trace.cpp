// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <array>

#include "sim/run/simulate.h"
#include "workloads/sources/trace/byte_source.h"
#include "workloads/sources/trace/trace_reader.h"
#include "workloads/sources/trace/trace_workload.h"
#include "workloads/sources/trace/trace_writer.h"

// From the JSON of a trace to its validated graph, and back.

namespace ipusim {

namespace {

std::string shippedText(const std::string& name) {
  const auto source = workloads::openBytes("configs/traces/" + name + ".ipt.zst");
  std::string text;
  std::array<char, 1U << 16U> part{};
  while (const std::size_t more = source->read(part.data(), part.size())) {
    text.append(part.data(), more);
  }
  return text;
}

std::string recordedText(const std::string& workload) {
  run::BuiltConfig built = run::build(
      ConfigReader::fromText("machine = \"gc200\"\nworkload = " + workload + "\n", "bench"));
  const workloads::Trace trace = workloads::traceOf(std::move(built.workload), built.workload_kind,
                                                    built.system.machineName());
  return workloads::traceText(trace, built.system.allTiles());
}

const Machine& gc200() {
  static const Machine kMachine = readPreset("gc200");
  return kMachine;
}

void readText(benchmark::State& state, const std::string& text) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(workloads::parseTrace(text, "bench.ipt", gc200()));
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

void readShippedTrace(benchmark::State& state, const char* name) {
  readText(state, shippedText(name));
}
BENCHMARK_CAPTURE(readShippedTrace, matmul_128, "matmul_128")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(readShippedTrace, matmul_512, "matmul_512")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(readShippedTrace, matmul_naive_128, "matmul_naive_128")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(readShippedTrace, matmul_blocked_256, "matmul_blocked_256")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(readShippedTrace, butterfly_256, "butterfly_256")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(readShippedTrace, butterfly_fused_256, "butterfly_fused_256")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(readShippedTrace, pixelfly_256, "pixelfly_256")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(readShippedTrace, training_64, "training_64")->Unit(benchmark::kMillisecond);

void readRecordedTrace(benchmark::State& state, const char* workload) {
  readText(state, recordedText(workload));
}
BENCHMARK_CAPTURE(readRecordedTrace, linear_54321,
                  "{kind = \"linear\", in = 1024, out = 1024, batch = 54321}")
    ->Unit(benchmark::kMillisecond);

void writeRecordedTrace(benchmark::State& state) {
  run::BuiltConfig built = run::build(ConfigReader::fromText(
      "machine = \"gc200\"\nworkload = {kind = \"matmul\", m = 2048, k = 2048, n = 2048}\n",
      "bench"));
  const workloads::Trace trace = workloads::traceOf(std::move(built.workload), built.workload_kind,
                                                    built.system.machineName());
  std::size_t bytes = 0;
  for (auto _ : state) bytes += workloads::traceText(trace, built.system.allTiles()).size();
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}
BENCHMARK(writeRecordedTrace)->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace ipusim
