// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ipusim/graph.h"
#include "sim/compile/compile.h"
#include "sim/execute/execute.h"
#include "sim/execute/host_access.h"
#include "tests/support/toy_machine.h"

namespace ipusim::executor {

/// A graph for the four tiles of the toy machine, and the values of its inputs.
class ToyRun {
 public:
  Graph graph;

  /// A variable of floats on one tile.
  Tensor on(std::uint32_t tile, const Shape& shape, Lifetime lifetime = Lifetime::Always) {
    Tensor tensor =
        graph.addVariable(ElementType::Float, shape, "on" + std::to_string(tile), lifetime);
    graph.setTileMapping(tensor, TileId(tile));
    return tensor;
  }
  /// A variable of floats over all tiles, in grains of `grain` elements.
  Tensor spread(const Shape& shape, std::uint64_t grain, Lifetime lifetime = Lifetime::Always) {
    Tensor tensor = graph.addVariable(ElementType::Float, shape, "spread", lifetime);
    const Tensor flat = tensor.reshape({tensor.elements()});
    for (std::uint64_t begin = 0; begin < flat.elements(); begin += grain) {
      const std::uint64_t end = std::min(begin + grain, flat.elements());
      graph.setTileMapping(flat.slice(begin, end, 0),
                           TileId(static_cast<std::uint32_t>(begin / grain % toyTiles())));
    }
    return tensor;
  }
  void give(const Tensor& tensor, const Values& values) {
    inputs_.push_back({{"input", tensor}, values});
  }
  /// Adds a vertex, or a family, in a compute set of its own, at the end of the program.
  void add(VertexType type, std::uint32_t tile, std::vector<Connection> fields,
           std::uint32_t count = 1) {
    const auto set = graph.addComputeSet("set");
    graph.addVertices(set, {shared(std::move(type)), TileId(tile), count, std::move(fields)});
    graph.program().add(execute(set));
  }

  [[nodiscard]] compiler::Executable compile() const {
    return compiler::compile(graph, models::toyMachine());
  }
  /// The memories after a run of `executable`, which may differ from what compile() returns. It
  /// must outlive the memories of a strict run.
  [[nodiscard]] TileMemories run(const compiler::Executable& executable,
                                 Checking checking = Checking::Fast, std::uint64_t jobs = 1) const {
    TileMemories memories(executable, checking);
    HostAccess host(graph, executable, memories);
    host.loadConstants();
    for (const auto& [tensor, values] : inputs_) host.write(tensor, values);
    execute(executable, memories, {jobs});
    return memories;
  }
  /// The values of `output` after a run of `executable`.
  [[nodiscard]] Values result(const compiler::Executable& executable, const Tensor& output,
                              Checking checking = Checking::Fast) const {
    TileMemories memories = run(executable, checking);
    return HostAccess(graph, executable, memories).read({"output", output});
  }
  [[nodiscard]] Values result(const Tensor& output) const { return result(compile(), output); }

  static std::uint32_t toyTiles() { return models::toyMachine().tiles; }

 private:
  std::vector<std::pair<HostTensor, Values>> inputs_;
};

/// The number of steps of that kind.
inline std::size_t stepsOf(const compiler::Executable& executable, StepKind kind) {
  std::size_t steps = 0;
  for (const compiler::Step& step : executable.lowered.steps) steps += step.kind == kind ? 1 : 0;
  return steps;
}

}  // namespace ipusim::executor
