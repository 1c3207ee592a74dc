// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/config/config_reader.h"
#include "ipusim/vertex_table.h"
#include "models/ipu/engines/closed_form/closed_form.h"
#include "models/ipu/engines/closed_form/system_clock.h"
#include "models/ipu/machine/system.h"
#include "sim/compile/compile.h"

namespace ipusim {
namespace {

/// On 16 tiles: a copy to the next tile, a sum on each, and a transfer to the host.
Graph smallGraph(const Machine& machine) {
  Graph graph;
  const Shape shape = {16, 64};
  const Tensor a = graph.addVariable(ElementType::Float, shape, "a", Lifetime::Always);
  const Tensor b = graph.addVariable(ElementType::Float, shape, "b", Lifetime::Always);
  const auto type = shared(vertexType("vertex = 'user_add'\nelements = 64\n", machine));
  const ComputeSetId add = graph.addComputeSet("add");
  for (std::uint32_t t = 0; t < 16; ++t) {
    graph.setTileMapping(a.slice(t, t + 1, 0), TileId(t));
    graph.setTileMapping(b.slice(t, t + 1, 0), TileId((t + 1) % 16));
    graph.addVertices(
        add, {type, TileId(t), 1, {{a.slice(t, t + 1, 0).view()}, {b.slice(t, t + 1, 0).view()}}});
  }
  graph.program().add(graph.copy(a, b, "copy"));
  graph.program().add(execute(add));
  graph.program().add(graph.stream("out", {a}, HostDirection::ToHost, HostPath::Link));
  return graph;
}

Machine sixteenTiles() {
  Machine machine = readPreset("gc200");
  machine.tiles = 16;
  return machine;
}

TEST(StepClock, ShowsTheTimesOfTheClosedFormForStepsInOrder) {
  const Machine machine = sixteenTiles();
  Graph graph = smallGraph(machine);
  const ChipResult expected = models::closedForm(compiler::compile(graph, machine).programs.only());
  const compiler::Executable steps = compiler::compileSteps(graph, machine).executable;
  models::StepClock clock(steps.programs.only());
  for (std::uint32_t s = 0; s < steps.lowered.steps.size(); ++s) clock.play(static_cast<StepId>(s));
  EXPECT_EQ(clock.end(), expected.end);
  EXPECT_EQ(clock.busy(), expected.busy);
}

TEST(StepClock, ARepeatedProgramTakesWhatALoopOfTheClosedFormTakes) {
  const Machine machine = sixteenTiles();
  Graph graph = smallGraph(machine);
  Graph looped = smallGraph(machine);
  looped.program() = repeat(5, {looped.program()});
  const ChipResult expected =
      models::closedForm(compiler::compile(looped, machine).programs.only());
  const compiler::Executable steps = compiler::compileSteps(graph, machine).executable;
  models::StepClock clock(steps.programs.only());
  for (int i = 0; i < 5; ++i) {
    for (std::uint32_t s = 0; s < steps.lowered.steps.size(); ++s)
      clock.play(static_cast<StepId>(s));
  }
  EXPECT_EQ(clock.end(), expected.end);
  EXPECT_EQ(clock.busy(), expected.busy);
}

/// Two IPUs of eight tiles each.
System twoIpus() {
  System system = readSystem(
      ConfigReader::fromText("machine = {base = \"m2000\", ipus = 2}\n", "test"), "machine");
  system.ipu.tiles = 8;
  return system;
}

TEST(SystemClock, ShowsTheTimesOfTheClosedFormForStepsInOrder) {
  const System system = twoIpus();
  Graph graph = smallGraph(system.ipu);
  const compiler::Executable expected = compiler::compile(graph, system);
  const ChipResult times = overAllIpus(expected.programs, models::closedForm(expected.programs));
  const compiler::Executable steps = compiler::compileSteps(graph, system).executable;
  models::SystemClock clock(steps.programs);
  for (std::uint32_t s = 0; s < steps.lowered.steps.size(); ++s) clock.play(static_cast<StepId>(s));
  EXPECT_EQ(clock.end(), times.end);
  EXPECT_EQ(clock.result().busy, times.busy);
  for (std::uint32_t t = 0; t < 16; ++t) EXPECT_EQ(clock.now(t), times.finish[t]);
  EXPECT_GT(clock.links().front().bytes + clock.links().back().bytes, Bytes(0));
}

TEST(SystemClock, ASyncIsOfAllIpus) {
  const System system = twoIpus();
  Graph graph = smallGraph(system.ipu);
  models::SystemClock clock(compiler::compileSteps(graph, system).executable.programs);
  clock.sync();
  EXPECT_EQ(clock.now(0), clock.now(8));
  EXPECT_GT(clock.end(), Cycles(0));
}

}  // namespace
}  // namespace ipusim
