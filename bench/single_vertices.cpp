// SPDX-License-Identifier: Apache-2.0
// A graph in which nothing is regular: single vertices whose operands are single elements from
// anywhere on their tile, one vertex in sixteen with one from another tile. Builds and compiles it
// by the public headers alone, and prints what that took.
//
//   build/release/bench/single_vertices [VERTICES] [EDGES OF A VERTEX]
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <random>

#include "ipusim/compile.h"
#include "ipusim/graph.h"

namespace {

using namespace ipusim;

constexpr std::uint64_t kVertices = 1'000'000;
constexpr std::uint64_t kEdges = 10;
constexpr std::uint64_t kRemoteEvery = 16;

/// One output from `inputs` single elements.
VertexType gatherVertex(std::uint64_t inputs) {
  VertexType type;
  type.name = "SumOfElements";
  type.origin = Origin::User;
  type.fields = {{"in", FieldDirection::Input, ElementType::Float, {{inputs, 1}}},
                 {"out", FieldDirection::Output, ElementType::Float, {{1, 1}}}};
  type.sizes = {Bytes(8), Bytes(4 * inputs), Bytes(128)};
  type.work = workOn(type.fields, Flops(inputs - 1));
  type.cost = [inputs](const Architecture&) { return Cycles(10 + 2 * inputs); };
  return type;
}

class GraphOfSingles {
 public:
  GraphOfSingles(const Machine& machine, std::uint64_t vertices, std::uint64_t edges)
      : tiles_(machine.tiles),
        on_tile_(ceilDiv(vertices, std::uint64_t{machine.tiles})),
        inputs_(edges - 1),
        type_(shared(gatherVertex(inputs_))),
        in_(graph_.addVariable(ElementType::Float, {tiles_, on_tile_ * inputs_}, "in",
                               Lifetime::Always)),
        out_(graph_.addVariable(ElementType::Float, {tiles_, on_tile_}, "out", Lifetime::Always)),
        compute_set_(graph_.addComputeSet("sums")) {
    for (std::uint32_t tile = 0; tile < tiles_; ++tile) {
      graph_.setTileMapping(in_.slice(tile, tile + 1, 0), TileId(tile));
      graph_.setTileMapping(out_.slice(tile, tile + 1, 0), TileId(tile));
    }
    for (std::uint64_t v = 0; v < vertices; ++v) addVertex(v);
    graph_.program().add(execute(compute_set_));
  }

  [[nodiscard]] const Graph& graph() const { return graph_; }

 private:
  void addVertex(std::uint64_t v) {
    const std::uint64_t tile = v / on_tile_;
    View operands;
    operands.reserve(inputs_);
    for (std::uint64_t i = 0; i < inputs_; ++i) {
      const bool is_remote = i == 0 && v % kRemoteEvery == 0;
      const std::uint64_t from = is_remote ? random_() % tiles_ : tile;
      const std::uint64_t share = on_tile_ * inputs_;
      operands.push_back(
          contiguous(in_.pieces().front().variable, from * share + random_() % share, 1));
    }
    const View result{contiguous(out_.pieces().front().variable, v, 1)};
    graph_.addVertices(
        compute_set_,
        {type_, TileId(static_cast<std::uint32_t>(tile)), 1, {{std::move(operands)}, {result}}});
  }

  std::uint64_t tiles_;
  std::uint64_t on_tile_;
  std::uint64_t inputs_;
  std::mt19937_64 random_{1};
  std::shared_ptr<const VertexType> type_;
  Graph graph_;
  Tensor in_;
  Tensor out_;
  ComputeSetId compute_set_;
};

double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t vertices = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : kVertices;
  const std::uint64_t edges = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : kEdges;
  const Machine machine = readPreset("gc200");
  const auto begin = std::chrono::steady_clock::now();
  const GraphOfSingles singles(machine, vertices, edges);
  std::cout << vertices << " vertices, " << vertices * edges << " edges: built in "
            << secondsSince(begin) << " s\n";
  const auto built = std::chrono::steady_clock::now();
  const ChipPrograms programs = compile(singles.graph(), machine);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::cout << "compiled in " << secondsSince(built) << " s, " << programs.transmissions.size()
            << " transmissions, " << usage.ru_maxrss / 1024 << " MiB at most\n";
}
