// SPDX-License-Identifier: Apache-2.0
// Sums numbers that are spread over all tiles: each worker sums its share, then each tile the sums
// of its workers, then some tiles the sums of groups of tiles, and at last one tile theirs.
// Arguments: n, the numbers; groups, of tiles; method (stages, or library: popops::reduce, of whole
// numbers, whose sum is the same in any order).
#include <poplar/CycleCount.hpp>
#include <popops/Reduce.hpp>
#include <popops/codelets.hpp>
#include <poputil/TileMapping.hpp>

#include "program.hpp"

using namespace poplar;
using namespace poplar::program;

namespace {

constexpr unsigned kWorkers = 6;

std::vector<float> numbers(unsigned n, bool are_whole) {
  std::vector<float> values(n);
  for (unsigned i = 0; i < n; ++i) {
    const auto whole = float(i * 7 % 11) - 5;
    values[i] = are_whole ? whole : whole / 3;
  }
  return values;
}

/// One stage: element i of the result is the sum of part i of the numbers, in their order.
Tensor sumsOf(Graph& graph, const Tensor& numbers, unsigned parts, Sequence& program) {
  const Tensor sums = graph.addVariable(FLOAT, {parts}, "sums");
  const auto n = static_cast<unsigned>(numbers.numElements());
  const unsigned tiles = graph.getTarget().getNumTiles();
  const ComputeSet compute = graph.addComputeSet("sum");
  for (unsigned part = 0; part < parts; ++part) {
    const unsigned tile = blockBegin(part, parts, tiles);
    const Tensor share = numbers.slice(blockBegin(part, parts, n), blockBegin(part + 1, parts, n));
    const VertexRef vertex =
        graph.addVertex(compute, "SumInOrder", {{"numbers", share}, {"sum", sums[part]}});
    graph.setTileMapping(vertex, tile);
    graph.setTileMapping(sums[part], tile);
  }
  program.add(Execute(compute));
  return sums;
}

/// The sums of the parts, each in the order of its numbers, as the host computes them.
std::vector<float> sumsOf(const std::vector<float>& numbers, unsigned parts) {
  const auto n = static_cast<unsigned>(numbers.size());
  std::vector<float> sums(parts);
  for (unsigned part = 0; part < parts; ++part) {
    for (unsigned i = blockBegin(part, parts, n); i < blockBegin(part + 1, parts, n); ++i) {
      sums[part] += numbers[i];
    }
  }
  return sums;
}

/// The sums of the workers of all tiles.
Tensor sumsOfWorkers(Graph& graph, const Tensor& numbers, Sequence& program) {
  const unsigned tiles = graph.getTarget().getNumTiles();
  const auto n = static_cast<unsigned>(numbers.numElements());
  const Tensor sums = graph.addVariable(FLOAT, {tiles, kWorkers}, "workers");
  const ComputeSet compute = graph.addComputeSet("shares");
  for (unsigned tile = 0; tile < tiles; ++tile) {
    const Tensor share = numbers.slice(blockBegin(tile, tiles, n), blockBegin(tile + 1, tiles, n));
    const VertexRef vertex =
        graph.addVertex(compute, "SumShares", {{"numbers", share}, {"sums", sums[tile]}});
    graph.setTileMapping(vertex, tile);
    graph.setTileMapping(share, tile);
    graph.setTileMapping(sums[tile], tile);
  }
  program.add(Execute(compute));
  return sums.flatten();
}
std::vector<float> sumsOfWorkers(const std::vector<float>& numbers, unsigned tiles) {
  const auto n = static_cast<unsigned>(numbers.size());
  std::vector<float> sums(tiles * kWorkers);
  for (unsigned tile = 0; tile < tiles; ++tile) {
    const unsigned begin = blockBegin(tile, tiles, n);
    for (unsigned i = begin; i < blockBegin(tile + 1, tiles, n); ++i) {
      sums[tile * kWorkers + (i - begin) % kWorkers] += numbers[i];
    }
  }
  return sums;
}

}  // namespace

int main(int count, char** texts) {
  const Arguments arguments(count, texts);
  const Device device = attachedDevice();
  const unsigned tiles = device.getTarget().getNumTiles();
  const unsigned n = arguments.number("n", 1000000);
  const unsigned groups = arguments.number("groups", 32);
  const bool by_library = arguments.text("method", "stages") == "library";
  Graph graph(device);
  popops::addCodelets(graph);
  graph.addCodelets("reduction_codelets.cpp", CodeletFileType::Auto, "-O3");
  const Tensor all = graph.addVariable(FLOAT, {n}, "numbers");
  Sequence program;
  Tensor sum;
  if (by_library) {
    poputil::mapTensorLinearly(graph, all);
    sum = popops::reduce(graph, all, {0}, popops::Operation::ADD, program).flatten();
  } else {
    sum = sumsOf(graph, sumsOfWorkers(graph, all, program), tiles, program);
    sum = sumsOf(graph, sumsOf(graph, sum, groups, program), 1, program);
  }
  const Tensor cycles = cycleCount(graph, program, 0, SyncType::INTERNAL, "cycles");
  const std::vector<float> values = numbers(n, by_library);
  graph.setInitialValue(all, ArrayRef<float>(values));
  graph.createHostRead("sum", sum);
  graph.createHostRead("cycles", cycles);
  Engine engine(graph, program);
  engine.loadAndRun(device);
  std::vector<float> found(1);
  std::vector<unsigned> took(2);
  engine.readTensor("sum", found.data(), found.data() + 1);
  engine.readTensor("cycles", took.data(), took.data() + 2);
  tell("sum", found[0]);
  tell("cycles", took[0]);
  const std::vector<float> of_tiles = sumsOf(sumsOfWorkers(values, tiles), tiles);
  return compared(found, sumsOf(sumsOf(of_tiles, groups), 1));
}
