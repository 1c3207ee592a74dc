// SPDX-License-Identifier: Apache-2.0
// A matrix times a vector. Each row is cut into segments; a first compute set makes their dot
// products, a second adds those of a row. Arguments: rows, columns, segments.
#include "program.hpp"

using namespace poplar;
using namespace poplar::program;

namespace {

struct Sizes {
  unsigned rows;
  unsigned columns;
  unsigned segments;

  unsigned begin(unsigned segment) const { return blockBegin(segment, segments, columns); }
};

ComputeSet addDots(Graph& graph, const Sizes& sizes, const Tensor& matrix, const Tensor& vector,
                   const Tensor& partials) {
  const unsigned tiles = graph.getTarget().getNumTiles();
  const ComputeSet dots = graph.addComputeSet("dots");
  for (unsigned s = 0; s < sizes.segments; ++s) {
    const Interval columns(sizes.begin(s), sizes.begin(s + 1));
    for (unsigned row = 0; row < sizes.rows; ++row) {
      const auto tile = unsigned((std::uint64_t{s} * sizes.rows + row) * tiles /
                                 (std::uint64_t{sizes.segments} * sizes.rows));
      const Tensor part = matrix[row].slice(columns);
      const VertexRef vertex = graph.addVertex(
          dots, "Dot", {{"a", part}, {"b", vector.slice(columns)}, {"out", partials[row][s]}});
      graph.setTileMapping(part, tile);
      graph.setTileMapping(partials[row][s], tile);
      graph.setTileMapping(vertex, tile);
    }
  }
  return dots;
}

ComputeSet addSums(Graph& graph, const Sizes& sizes, const Tensor& partials, const Tensor& out) {
  const unsigned tiles = graph.getTarget().getNumTiles();
  const ComputeSet sums = graph.addComputeSet("sums");
  for (unsigned row = 0; row < sizes.rows; ++row) {
    const auto tile = unsigned(std::uint64_t{row} * tiles / sizes.rows);
    const VertexRef vertex =
        graph.addVertex(sums, "Sum", {{"in", partials[row]}, {"out", out[row]}});
    graph.setTileMapping(out[row], tile);
    graph.setTileMapping(vertex, tile);
  }
  return sums;
}

/// The products in the order of the vertices.
std::vector<float> onHost(const Sizes& sizes, const std::vector<float>& matrix,
                          const std::vector<float>& vector) {
  std::vector<float> out(sizes.rows);
  for (unsigned row = 0; row < sizes.rows; ++row) {
    for (unsigned s = 0; s < sizes.segments; ++s) {
      float sum = 0;
      for (unsigned c = sizes.begin(s); c < sizes.begin(s + 1); ++c) {
        sum += matrix[std::size_t{row} * sizes.columns + c] * vector[c];
      }
      out[row] += sum;
    }
  }
  return out;
}

}  // namespace

int main(int count, char** texts) {
  const Arguments arguments(count, texts);
  const Sizes sizes = {arguments.number("rows", 10000), arguments.number("columns", 1000),
                       arguments.number("segments", 7)};
  const Device device = attachedDevice();
  const unsigned tiles = device.getTarget().getNumTiles();
  Graph graph(device);
  graph.addCodelets("matrix_vector_codelets.cpp");
  const Tensor matrix = graph.addVariable(FLOAT, {sizes.rows, sizes.columns}, "matrix");
  const Tensor vector = graph.addVariable(FLOAT, {sizes.columns}, "vector");
  const Tensor partials = graph.addVariable(FLOAT, {sizes.rows, sizes.segments}, "partials");
  const Tensor out = graph.addVariable(FLOAT, {sizes.rows}, "out");
  for (unsigned c = 0; c < sizes.columns; ++c) {
    graph.setTileMapping(vector[c], unsigned(std::uint64_t{c} * tiles / sizes.columns));
  }
  const ComputeSet dots = addDots(graph, sizes, matrix, vector, partials);
  const ComputeSet sums = addSums(graph, sizes, partials, out);
  const DataStream matrix_in = graph.addHostToDeviceFIFO("matrix", FLOAT, matrix.numElements());
  const DataStream vector_in = graph.addHostToDeviceFIFO("vector", FLOAT, vector.numElements());
  const DataStream out_of = graph.addDeviceToHostFIFO("out", FLOAT, out.numElements());

  std::vector<float> a(matrix.numElements());
  std::vector<float> b(sizes.columns);
  std::vector<float> found(sizes.rows);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = float(i % 97) / 7;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = float(i % 31) / 3;

  Engine engine(graph,
                Sequence{Copy(matrix_in, matrix), Copy(vector_in, vector), Execute(dots),
                         Execute(sums), Copy(out, out_of)},
                {{"debug.instrument", "true"}});
  engine.load(device);
  engine.connectStream("matrix", a.data(), a.data() + a.size());
  engine.connectStream("vector", b.data(), b.data() + b.size());
  engine.connectStream("out", found.data(), found.data() + found.size());
  engine.run();
  engine.printProfileSummary(std::cout, {{"showExecutionSteps", "true"}});
  return compared(found, onHost(sizes, a, b));
}
