// SPDX-License-Identifier: Apache-2.0
// Builds a graph by hand: two vectors on eight tiles are added ten times. One of them lives on
// other tiles than the sum. Prints the prediction for the graph, and its numbers.
#include <iostream>

#include "ipusim/execute.h"
#include "ipusim/predict.h"
#include "ipusim/vertex_table.h"

namespace {

constexpr std::uint32_t kTiles = 8;
constexpr std::uint64_t kShare = 1024;

}  // namespace

int main() {
  using namespace ipusim;
  const Machine machine = readPreset("gc200");

  // 1. Add variables, and map each element to a tile.
  Graph graph;
  const Tensor sum =
      graph.addVariable(ElementType::Float, {kTiles, kShare}, "sum", Lifetime::Always);
  const Tensor more =
      graph.addVariable(ElementType::Float, {kTiles, kShare}, "more", Lifetime::Always);
  for (std::uint32_t t = 0; t < kTiles; ++t) {
    graph.setTileMapping(sum.slice(t, t + 1, 0), TileId(t));
    graph.setTileMapping(more.slice(t, t + 1, 0), TileId((t + 1) % kTiles));
  }

  // 2. Add one vertex per tile: sum += more.
  const auto type = shared(vertexType("vertex = 'user_add'\nelements = 1024\n", machine));
  const ComputeSetId add = graph.addComputeSet("add");
  for (std::uint32_t t = 0; t < kTiles; ++t) {
    graph.addVertices(
        add,
        {type, TileId(t), 1, {{sum.slice(t, t + 1, 0).view()}, {more.slice(t, t + 1, 0).view()}}});
  }

  // 3. Let the program run the compute set ten times.
  graph.program().add(repeat(10, {execute(add)}));

  // 4. Print the prediction.
  const Result result = predict(graph, machine);
  std::cout << (result.fits() ? "it fits" : "it does not fit") << ", tile "
            << result.memory.max_tile << " is the fullest: " << result.memory.max_tile_bytes.value()
            << " bytes\n";
  for (const StepResult& step : result.steps) {
    std::cout << step.name << ": " << step.cycles.value() << " cycles in " << step.iterations
              << " iterations\n";
  }
  std::cout << result.time.cycles.value() << " cycles in all\n";

  // 5. Print the numbers.
  const HostTensors host{{{"sum", sum, 2, TensorValues(sum.elements(), 1.0)},
                          {"more", more, 2, TensorValues(more.elements(), 0.5)}},
                         {{"sum", sum}}};
  std::cout << "sum[0] = " << execute(graph, machine, host)[0][0] << '\n';

  // 6. Make a mistake: the error names it.
  graph.setTileMapping(more.slice(0, 1, 0), TileId(5000));
  try {
    (void)predict(graph, machine);
  } catch (const GraphError& error) {
    std::cout << error.what() << '\n';
  }
}
