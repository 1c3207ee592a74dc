// SPDX-License-Identifier: Apache-2.0
// Computes pi by rectangles, one vertex a tile. Arguments: n, the rectangles of a tile.
#include <algorithm>

#include "program.hpp"

using namespace poplar;
using namespace poplar::program;

namespace {

/// What the vertex of a tile computes.
float rectangles(unsigned id, unsigned n, float width) {
  float total = 0;
  for (unsigned j = id * n; j < (id + 1) * n; ++j) {
    const float x = (j - 0.5f) * width;
    total += 4.0f / (1.0f + x * x);
  }
  return total;
}

}  // namespace

int main(int count, char** texts) {
  const Arguments arguments(count, texts);
  const unsigned n = arguments.number("n", 1000);
  const Device device = attachedDevice();
  const unsigned tiles = device.getTarget().getNumTiles();
  const float width = 1.0f / (float(tiles) * float(n));

  Graph graph(device);
  graph.addCodelets("pi_codelets.cpp", CodeletFileType::Auto, "-O3");
  const Tensor sums = graph.addVariable(FLOAT, {tiles}, "sums");
  const Tensor cycles = graph.addVariable(UNSIGNED_INT, {tiles}, "cycles");
  const ComputeSet compute = graph.addComputeSet("rectangles");
  for (unsigned tile = 0; tile < tiles; ++tile) {
    graph.setTileMapping(sums[tile], tile);
    graph.setTileMapping(cycles[tile], tile);
    const VertexRef vertex = graph.addVertex(compute, "Rectangles");
    graph.connect(vertex["id"], tile);
    graph.connect(vertex["n"], n);
    graph.connect(vertex["width"], width);
    graph.connect(vertex["sum"], sums.slice(tile, tile + 1));
    graph.connect(vertex["cycles"], cycles.slice(tile, tile + 1));
    graph.setTileMapping(vertex, tile);
  }
  graph.createHostRead("sums", sums);
  graph.createHostRead("cycles", cycles);

  Engine engine(graph, Execute(compute));
  engine.loadAndRun(device);
  std::vector<float> found(tiles);
  std::vector<unsigned> took(tiles);
  engine.readTensor("sums", found.data(), found.data() + tiles);
  engine.readTensor("cycles", took.data(), took.data() + tiles);

  float pi = 0;
  for (const float sum : found) pi += sum * width;
  tell("pi", pi);
  tell("compute_cycles", *std::max_element(took.begin(), took.end()));
  // The host needs as long as all tiles together.
  const unsigned checked = arguments.number("checked_tiles", tiles);
  std::vector<float> wanted(checked);
  for (unsigned tile = 0; tile < checked; ++tile) wanted[tile] = rectangles(tile, n, width);
  return compared(found, wanted);
}
