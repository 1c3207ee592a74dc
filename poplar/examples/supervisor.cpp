// SPDX-License-Identifier: Apache-2.0
// Times Executes of one supervisor vertex each with the counter of their tile, which is the first
// of the last IPU. Arguments: passes of the vertex's loop, Executes, IPUs.
#include <poplar/CycleCount.hpp>

#include "program.hpp"

using namespace poplar;
using namespace poplar::program;

int main(int count, char** texts) {
  const Arguments arguments(count, texts);
  const unsigned passes = arguments.number("passes", 100);
  const unsigned executes = arguments.number("executes", 1);
  const unsigned ipus = arguments.number("ipus", 1);
  const Device device = attachedDevice(ipus);
  Graph graph(device);
  graph.addCodelets("supervisor_codelets.cpp");
  const unsigned tile = (ipus - 1) * device.getTarget().getTilesPerIPU();
  Sequence timed;
  for (unsigned e = 0; e < executes; ++e) {
    const ComputeSet compute = graph.addComputeSet("busy");
    const VertexRef vertex = graph.addVertex(compute, "Busy");
    graph.setInitialValue(vertex["passes"], passes);
    graph.setTileMapping(vertex, tile);
    timed.add(Execute(compute));
  }
  const Tensor cycles = cycleCount(graph, timed, tile, SyncType::INTERNAL, "cycles");
  graph.createHostRead("cycles", cycles);
  Engine engine(graph, timed);
  engine.loadAndRun(device);
  std::vector<unsigned> took(2);
  engine.readTensor("cycles", took.data(), took.data() + took.size());
  tell("block_cycles", took[0]);
  return took[1] == 0 ? 0 : 1;
}
