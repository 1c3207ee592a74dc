// SPDX-License-Identifier: Apache-2.0
// Sorts numbers that are spread over tiles. Each tile sorts its block; then blocks of neighbours
// are merged, those of even and of odd pairs by turns, and the left tile keeps the smaller half
// (odd-even merge splitting). Arguments: n, the numbers; tiles, over which they are spread; method
// (blocks, or library: popops::sort).
#include <algorithm>
#include <poplar/CycleCount.hpp>
#include <popops/Sort.hpp>
#include <popops/codelets.hpp>

#include "program.hpp"

using namespace poplar;
using namespace poplar::program;

namespace {

/// Numbers in no order, with some that are equal.
std::vector<float> numbers(unsigned n) {
  std::vector<float> values(n);
  std::uint32_t state = 1;
  for (float& value : values) {
    state = state * 1664525U + 1013904223U;
    value = float(state >> 16) / 16 - 2048;
  }
  return values;
}

/// A tensor that has a block on each tile.
class Blocks {
 public:
  Blocks(Graph& graph, unsigned n, unsigned tiles, const std::string& name)
      : all_(graph.addVariable(FLOAT, {n}, name)), tiles_(tiles) {
    for (unsigned tile = 0; tile < tiles; ++tile) graph.setTileMapping(at(tile), tile);
  }

  const Tensor& all() const { return all_; }
  Tensor at(unsigned tile) const {
    const auto n = static_cast<unsigned>(all_.numElements());
    return all_.slice(blockBegin(tile, tiles_, n), blockBegin(tile + 1, tiles_, n));
  }

 private:
  Tensor all_;
  unsigned tiles_;
};

ComputeSet sortBlocks(Graph& graph, const Blocks& blocks, unsigned tiles) {
  const ComputeSet compute = graph.addComputeSet("sort");
  for (unsigned tile = 0; tile < tiles; ++tile) {
    const VertexRef vertex = graph.addVertex(compute, "SortBlock", {{"block", blocks.at(tile)}});
    graph.setTileMapping(vertex, tile);
  }
  return compute;
}

/// Merges the blocks of neighbours, the left of which are `first`, `first` + 2 …
ComputeSet mergeNeighbours(Graph& graph, const Blocks& from, const Blocks& to, unsigned tiles,
                           unsigned first) {
  const ComputeSet compute = graph.addComputeSet(first == 0 ? "even" : "odd");
  for (unsigned tile = 0; tile < tiles; ++tile) {
    const bool is_left = tile % 2 == first;
    const bool is_alone = is_left ? tile + 1 == tiles : tile == 0;
    const char* const type = is_alone ? "KeepBlock" : is_left ? "MergeLow" : "MergeHigh";
    const char* const result = is_alone ? "kept" : is_left ? "smallest" : "largest";
    const VertexRef vertex =
        graph.addVertex(compute, type, {{"own", from.at(tile)}, {result, to.at(tile)}});
    if (!is_alone) graph.connect(vertex["other"], from.at(is_left ? tile + 1 : tile - 1));
    graph.setTileMapping(vertex, tile);
  }
  return compute;
}

}  // namespace

int main(int count, char** texts) {
  const Arguments arguments(count, texts);
  const Device device = attachedDevice();
  const unsigned n = arguments.number("n", 65536);
  const unsigned tiles = arguments.number("tiles", 256);
  Graph graph(device);
  popops::addCodelets(graph);
  graph.addCodelets("sort_codelets.cpp", CodeletFileType::Auto, "-O3");
  const Blocks blocks(graph, n, tiles, "numbers");
  Sequence program;
  if (arguments.text("method", "blocks") == "library") {
    popops::sortInPlace(graph, blocks.all(), 0, program);
  } else {
    const Blocks merged(graph, n, tiles, "merged");
    program.add(Execute(sortBlocks(graph, blocks, tiles)));
    // As many rounds as there are blocks bring each number to its place.
    program.add(Repeat((tiles + 1) / 2,
                       Sequence{Execute(mergeNeighbours(graph, blocks, merged, tiles, 0)),
                                Execute(mergeNeighbours(graph, merged, blocks, tiles, 1))}));
  }
  const Tensor cycles = cycleCount(graph, program, 0, SyncType::INTERNAL, "cycles");
  std::vector<float> values = numbers(n);
  graph.setInitialValue(blocks.all(), ArrayRef<float>(values));
  graph.createHostRead("numbers", blocks.all());
  graph.createHostRead("cycles", cycles);
  Engine engine(graph, program);
  engine.loadAndRun(device);
  std::vector<float> found(n);
  std::vector<unsigned> took(2);
  engine.readTensor("numbers", found.data(), found.data() + n);
  engine.readTensor("cycles", took.data(), took.data() + 2);
  tell("cycles", took[0]);
  std::sort(values.begin(), values.end());
  return compared(found, values);
}
