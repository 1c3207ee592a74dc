// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <cstdint>

#include "models/gpu/gemm.h"

// How long a prediction of the GPU model takes. A search over designs asks for many: a million
// should take ten seconds at most, 10 us each.

namespace ipusim::gpu {
namespace {

void predictGemm(benchmark::State& state, Precision precision) {
  const Machine machine = readPreset("a30");
  std::uint64_t n = 0;
  for (auto _ : state) {
    n = n % 8192 + 64;
    benchmark::DoNotOptimize(gemmTime(machine, {{n, n, 4096}, precision, Layout::Linear}));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(predictGemm, fp32, Precision::Fp32);
BENCHMARK_CAPTURE(predictGemm, tf32, Precision::Tf32);

}  // namespace
}  // namespace ipusim::gpu
