// SPDX-License-Identifier: Apache-2.0
// Two vectors on one tile, worked on by all its workers. Arguments: n, their elements (even);
// vertex (Rotate or AddScaled).
#include <algorithm>

#include "program.hpp"

using namespace poplar;
using namespace poplar::program;

int main(int count, char** texts) {
  const Arguments arguments(count, texts);
  const unsigned n = arguments.number("n", 512);
  const std::string type = arguments.text("vertex", "Rotate");
  const float c = 0.8f;
  const float s = 0.6f;
  const Device device = attachedDevice();
  Graph graph(device);
  graph.addCodelets("vectors_codelets.cpp", CodeletFileType::Auto, "-O3");
  const Tensor x = graph.addVariable(FLOAT, {n}, "x");
  const Tensor y = graph.addVariable(FLOAT, {n}, "y");
  const Tensor cycles = graph.addVariable(UNSIGNED_INT, {6}, "cycles");
  for (const Tensor& tensor : {x, y, cycles}) graph.setTileMapping(tensor, 0);
  const ComputeSet compute = graph.addComputeSet("compute");
  const VertexRef vertex = graph.addVertex(compute, type, {{"x", x}, {"y", y}, {"cycles", cycles}});
  std::vector<unsigned short> shares;
  for (unsigned worker = 0; worker <= 6; ++worker) {
    shares.push_back(static_cast<unsigned short>(blockBegin(worker, 6, n / 2)));
  }
  graph.connect(vertex["shares"], ArrayRef<unsigned short>(shares));
  graph.setInitialValue(vertex["c"], c);
  graph.setInitialValue(vertex["s"], s);
  graph.setTileMapping(vertex, 0);
  std::vector<float> xs(n);
  std::vector<float> ys(n);
  for (unsigned i = 0; i < n; ++i) {
    xs[i] = float(i) / 3;
    ys[i] = float(n - i) / 7;
  }
  graph.setInitialValue(x, ArrayRef<float>(xs));
  graph.setInitialValue(y, ArrayRef<float>(ys));
  graph.createHostRead("x", x);
  graph.createHostRead("cycles", cycles);
  Engine engine(graph, Execute(compute));
  engine.loadAndRun(device);
  std::vector<float> found(n);
  std::vector<unsigned> took(6);
  engine.readTensor("x", found.data(), found.data() + n);
  engine.readTensor("cycles", took.data(), took.data() + 6);
  tell("cycles", *std::max_element(took.begin(), took.end()));
  for (unsigned i = 0; i < n; ++i) {
    xs[i] = type == "Rotate" ? c * xs[i] - s * ys[i] : xs[i] + c * ys[i];
  }
  return compared(found, xs);
}
