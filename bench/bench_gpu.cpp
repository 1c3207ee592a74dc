// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <cstdint>

#include "models/gpu/gemm.h"
#include "models/gpu/torch_layers.h"

// The time of a prediction of the GPU model. A search over designs asks for many predictions. A
// million predictions should take ten seconds at most, which is 10 us per prediction.

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

/// Predicts a million layers under a framework, with new sizes every time. The million has as
/// many linear layers as butterfly, pixelfly or low-rank ones.
void predictAMillion(benchmark::State& state) {
  constexpr std::uint64_t kPredictions = 1'000'000;
  constexpr std::uint64_t kWidths = 8;
  const Machine machine = readPreset("a30");
  for (auto _ : state) {
    for (std::uint64_t i = 0; i < kPredictions / 4; ++i) {
      const LayerShape layer{std::uint64_t{64} << (i % kWidths), 1 + i % 4096};
      for (const Program& program : {linearLayer(layer), butterflyLayer(layer),
                                     pixelflyLayer(usualPixelfly(layer)), lowRankLayer(layer, 8)}) {
        benchmark::DoNotOptimize(programTime(machine, program, Host::Eager));
      }
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(kPredictions) * state.iterations());
}
BENCHMARK(predictAMillion)->Unit(benchmark::kSecond)->Iterations(1);

}  // namespace
}  // namespace ipusim::gpu
