// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ipusim/graph.h"
#include "sim/compile/compile.h"
#include "tests/support/test_vertices.h"
#include "tests/support/toy_machine.h"

namespace ipusim::compiler {

/// A graph for the toy machine's four tiles, built line by line.
struct ToyGraph {
  Graph graph;

  Tensor on(std::uint32_t tile, std::uint64_t elements, Lifetime lifetime = Lifetime::Temporary) {
    Tensor tensor = graph.addVariable(ElementType::Float, {elements}, "v", lifetime);
    graph.setTileMapping(tensor, TileId(tile));
    return tensor;
  }

  /// Adds a step with one vertex on `tile`: out = 2 in.
  Program scale(std::uint32_t tile, const Tensor& in, const Tensor& out) {
    const auto set = graph.addComputeSet("scale");
    graph.addVertices(set, {shared(workloads::scaleVertex(2.0F, in.elements())),
                            TileId(tile),
                            1,
                            {{in.view()}, {out.view()}}});
    return execute(set);
  }

  [[nodiscard]] Executable compile() const {
    return compiler::compile(graph, models::toyMachine());
  }
};

inline std::vector<StepKind> kindsOf(const Executable& executable) {
  std::vector<StepKind> kinds;
  for (const Step& step : executable.lowered.steps) kinds.push_back(step.kind);
  return kinds;
}

}  // namespace ipusim::compiler
