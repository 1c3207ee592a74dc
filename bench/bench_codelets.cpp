// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "poplar/codelets/codelets.h"

// How fast codelets are compiled and executed.

namespace ipusim::codelets {
namespace {

constexpr const char* kDotProduct = R"(
#include <poplar/Vertex.hpp>
#include <cmath>
#include <cstdlib>
using namespace poplar;
class Dot : public Vertex {
 public:
  Input<Vector<float>> a;
  Input<Vector<float>> b;
  Output<float> out;
  bool compute() {
    float sum = 0;
    for (unsigned i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    *out = sum;
    return true;
  }
};
)";
constexpr std::uint32_t kTileBytes = 65536;

/// Multiply-adds of one thread through a vertex with as many elements as the argument says; one
/// element shows what a call costs.
void dotProduct(benchmark::State& state) {
  const Codelets codelets = compile({{"dot.cpp", kDotProduct}});
  const auto count = static_cast<std::uint32_t>(state.range(0));
  const LowMemory memory(1, Bytes(kTileBytes));
  const std::uint32_t data = memory.address(0) + 64;
  const std::uint32_t fields[] = {data, count, data, count, memory.address(0) + 32};
  std::memcpy(memory.at(0), fields, sizeof fields);
  Execution execution(codelets, 1);
  Outcome outcome;
  for (auto _ : state) {
    execution.run({0, 0, memory.address(0), 0}, outcome);
    benchmark::DoNotOptimize(outcome.slots);
  }
  state.counters["multiply_adds"] =
      benchmark::Counter(static_cast<double>(count) * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate);
}
BENCHMARK(dotProduct)->Arg(1)->Arg(100)->Arg(10000);

/// A file that no cache knows, since its text differs each time.
void compileFile(benchmark::State& state) {
  unsigned file = 0;
  for (auto _ : state) {
    ++file;
    const std::string text =
        std::string(kDotProduct) + "constexpr int kFile = " + std::to_string(file) + ";\n";
    benchmark::DoNotOptimize(compile({{"dot.cpp", text}}));
  }
}
BENCHMARK(compileFile)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace ipusim::codelets
