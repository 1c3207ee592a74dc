// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poplar/CycleCount.hpp>

#include "program.hpp"

// What the heat equations in two and in three dimensions share: two variables that steps go back
// and forth between.

/// Computes `steps` steps, an even number, that begin with `first` and go from one variable to the
/// other; tells the cycles of a step. `add_step(from, to)` makes the compute set of a step, and
/// `on_host(start)` has the same steps on the host. Returns the exit code of the program.
template <typename AddStep, typename OnHost>
int runHeat(const poplar::Device& device, poplar::Graph& graph, const poplar::Tensor& first,
            const poplar::Tensor& second, unsigned steps, const AddStep& add_step,
            const OnHost& on_host) {
  using namespace poplar::program;
  Sequence timed{Repeat(
      steps / 2, Sequence{Execute(add_step(first, second)), Execute(add_step(second, first))})};
  const poplar::Tensor cycles =
      poplar::cycleCount(graph, timed, 0, poplar::SyncType::INTERNAL, "cycles");
  graph.createHostRead("cycles", cycles);
  graph.createHostWrite("first", first);
  graph.createHostWrite("second", second);
  graph.createHostRead("result", first);

  std::vector<float> start(first.numElements());
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = float(i * 7919 % 1000) / 10;
  std::vector<float> found(start.size());
  std::vector<unsigned> took(2);
  poplar::Engine engine(graph, timed, {{"debug.instrument", "true"}});
  engine.load(device);
  engine.writeTensor("first", start.data(), start.data() + start.size());
  engine.writeTensor("second", start.data(), start.data() + start.size());
  engine.run();
  engine.readTensor("result", found.data(), found.data() + found.size());
  engine.readTensor("cycles", took.data(), took.data() + 2);
  engine.printProfileSummary(std::cout, {{"showExecutionSteps", "true"}});
  tell("step_cycles", double((std::uint64_t{took[1]} << 32) + took[0]) / steps);
  return compared(found, on_host(start));
}
