// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <memory>

#include "ipusim/graph.h"
#include "sim/compile/compile.h"
#include "sim/run/summary/summarize.h"

// The cost of building and compiling a graph. It must grow with sections, families and tiles, and
// never with elements or vertices.

namespace ipusim {

namespace {

/// A vertex with `inputs` fields of n elements and one output. Its cycles do not matter here.
std::shared_ptr<const VertexType> elementwise(std::size_t inputs, std::uint64_t in_elements,
                                              std::uint64_t out_elements) {
  VertexType type;
  type.name = "Elementwise";
  for (std::size_t i = 0; i < inputs; ++i) {
    type.fields.push_back({"in", FieldDirection::Input, ElementType::Float, {{1, in_elements}}});
  }
  type.fields.push_back({"out", FieldDirection::Output, ElementType::Float, {{1, out_elements}}});
  type.sizes = {Bytes(16), Bytes(0), Bytes(200)};
  type.work = workOn(type.fields, Flops(1));
  type.cost = [](const Architecture& /*architecture*/) { return Cycles(100); };
  return shared(std::move(type));
}

const Machine& gc200() {
  static const Machine kMachine = readPreset("gc200");
  return kMachine;
}

Machine withTiles(std::uint32_t tiles) {
  Machine machine = gc200();
  machine.tiles = tiles;
  return machine;
}

double residentMebibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// One stage of stride 1 of a butterfly of width N over N rows, as a broadcast product and a sum of
/// pairs: y[b, q, o] = sum over i of t[q, o, i] x[b, q, i].
class ButterflyStage {
 public:
  ButterflyStage(Graph& graph, const Machine& machine, std::uint64_t n)
      : graph_(graph), machine_(machine), n_(n) {}

  void build() {
    const Tensor x = graph_.addVariable(ElementType::Float, {n_, n_}, "x");
    const Tensor t = graph_.addVariable(ElementType::Float, {n_ / 2, 2, 2}, "twiddle");
    const Tensor p = graph_.addVariable(ElementType::Float, {n_, n_ / 2, 2, 2}, "product");
    const Tensor y = graph_.addVariable(ElementType::Float, {n_, n_}, "y");
    graph_.mapLinearly(t, machine_, Bytes(4096));
    wide_x_ = x.reshape({n_, n_ / 2, 1, 2}).broadcast(2, 2);
    wide_t_ = t.reshape({1, n_ / 2, 2, 2}).broadcast(n_, 0);
    p_ = p.reshape({2 * n_ * n_});
    x_ = x.reshape({n_ * n_});
    y_ = y.reshape({n_ * n_});
    multiply_ = graph_.addComputeSet("multiply");
    add_ = graph_.addComputeSet("add");
    for (std::uint32_t tile = 0; tile < machine_.tiles; ++tile) addTile(tile);
    graph_.program().add(execute(multiply_));
    graph_.program().add(execute(add_));
  }

 private:
  void addTile(std::uint32_t t) {
    const TileId tile(t);
    const std::uint64_t pairs = n_ * n_ / 2;
    const std::uint64_t begin = pairs * t / machine_.tiles * 2;
    const std::uint64_t end = pairs * (t + 1) / machine_.tiles * 2;
    const std::uint64_t products = 2 * (end - begin);
    const Tensor p = p_.slice(2 * begin, 2 * end, 0);
    const Tensor y = y_.slice(begin, end, 0);
    graph_.setTileMapping(x_.slice(begin, end, 0), tile);
    graph_.setTileMapping(y, tile);
    graph_.setTileMapping(p, tile);
    graph_.addVertices(multiply_, {elementwise(2, products, products),
                                   tile,
                                   1,
                                   {{wide_x_.flatView(2 * begin, 2 * end)},
                                    {wide_t_.flatView(2 * begin, 2 * end)},
                                    {p.view()}}});
    graph_.addVertices(add_,
                       {elementwise(1, products, end - begin), tile, 1, {{p.view()}, {y.view()}}});
  }

  Graph& graph_;
  const Machine& machine_;
  std::uint64_t n_;
  Tensor wide_x_;
  Tensor wide_t_;
  Tensor x_;
  Tensor p_;
  Tensor y_;
  ComputeSetId multiply_{};
  ComputeSetId add_{};
};

/// Spreads `vertices` vertices of one element over the machine, in families of equal vertices.
void buildScalarVertices(Graph& graph, const Machine& machine, std::uint64_t vertices,
                         std::uint64_t families_per_tile) {
  const Tensor a = graph.addVariable(ElementType::Float, {vertices}, "a");
  const Tensor b = graph.addVariable(ElementType::Float, {vertices}, "b");
  const auto set = graph.addComputeSet("scalars");
  const auto type = elementwise(1, 1, 1);
  const std::uint64_t families = machine.tiles * families_per_tile;
  for (std::uint64_t f = 0; f < families; ++f) {
    const std::uint64_t begin = vertices * f / families;
    const std::uint64_t end = vertices * (f + 1) / families;
    const TileId tile(static_cast<std::uint32_t>(f / families_per_tile));
    for (const Tensor& tensor : {a, b}) graph.setTileMapping(tensor.slice(begin, end, 0), tile);
    graph.addVertices(set, {type,
                            tile,
                            static_cast<std::uint32_t>(end - begin),
                            {{a.slice(begin, begin + 1, 0).view(), 1},
                             {b.slice(begin, begin + 1, 0).view(), 1}}});
  }
  graph.program().add(execute(set));
}

template <typename Build>
void timeBuildAndCompile(benchmark::State& state, const Machine& machine, const Build& build) {
  std::uint64_t vertices = 0;
  for (auto _ : state) {
    Graph graph;
    build(graph);
    const compiler::Executable executable = compiler::compile(graph, machine);
    vertices = run::countsOf(executable).vertices;
    benchmark::DoNotOptimize(executable.programs.only().steps);
  }
  state.counters["vertices"] = static_cast<double>(vertices);
  state.counters["peak_MiB"] = residentMebibytes();
}

void butterflyStage(benchmark::State& state) {
  const auto n = static_cast<std::uint64_t>(state.range(0));
  timeBuildAndCompile(state, gc200(),
                      [n](Graph& graph) { ButterflyStage(graph, gc200(), n).build(); });
}
BENCHMARK(butterflyStage)->Arg(1024)->Arg(4096)->Unit(benchmark::kMillisecond);

void scalarVertices(benchmark::State& state) {
  const auto vertices = static_cast<std::uint64_t>(state.range(0));
  timeBuildAndCompile(state, gc200(), [vertices](Graph& graph) {
    buildScalarVertices(graph, gc200(), vertices, 1);
  });
}
BENCHMARK(scalarVertices)->Arg(24'000)->Arg(2'400'000)->Unit(benchmark::kMillisecond);

/// The time should grow with the families per tile.
void familiesPerTile(benchmark::State& state) {
  const auto families = static_cast<std::uint64_t>(state.range(0));
  timeBuildAndCompile(state, gc200(), [families](Graph& graph) {
    buildScalarVertices(graph, gc200(), 2'400'000, families);
  });
}
BENCHMARK(familiesPerTile)->RangeMultiplier(2)->Range(2, 16)->Unit(benchmark::kMillisecond);

/// The time should grow with the tiles.
void tiles(benchmark::State& state) {
  const Machine machine = withTiles(static_cast<std::uint32_t>(state.range(0)));
  timeBuildAndCompile(state, machine, [&machine](Graph& graph) {
    buildScalarVertices(graph, machine, std::uint64_t{1'000} * machine.tiles, 4);
  });
}
BENCHMARK(tiles)->RangeMultiplier(2)->Range(512, 4096)->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace ipusim
