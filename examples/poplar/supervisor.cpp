// SPDX-License-Identifier: Apache-2.0
// Times an Execute of one supervisor vertex with the counter of its tile. Arguments: passes of the
// vertex's loop.
#include <poplar/CycleCount.hpp>

#include "program.hpp"

using namespace poplar;
using namespace poplar::program;

int main(int count, char** texts) {
  const unsigned passes = Arguments(count, texts).number("passes", 100);
  const Device device = attachedDevice();
  Graph graph(device);
  graph.addCodelets("supervisor_codelets.cpp");
  const ComputeSet compute = graph.addComputeSet("busy");
  const VertexRef vertex = graph.addVertex(compute, "Busy");
  graph.setInitialValue(vertex["passes"], passes);
  graph.setTileMapping(vertex, 0);
  Sequence timed{Execute(compute)};
  const Tensor cycles = cycleCount(graph, timed, 0, SyncType::INTERNAL, "cycles");
  graph.createHostRead("cycles", cycles);
  Engine engine(graph, timed);
  engine.loadAndRun(device);
  std::vector<unsigned> took(2);
  engine.readTensor("cycles", took.data(), took.data() + took.size());
  tell("block_cycles", took[0]);
  return took[1] == 0 ? 0 : 1;
}
