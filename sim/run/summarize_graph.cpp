// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sim/run/summarize.h"

namespace ipusim::run {

using compiler::BoundFamily;
using compiler::Executable;
using compiler::Step;
using compiler::TileMemory;

GraphCounts countsOf(const Executable& executable) {
  GraphCounts counts;
  counts.variables = executable.share_of.size();
  for (const Step& step : executable.steps) {
    for (const BoundFamily& family : step.families) {
      counts.vertices += family.count;
      for (const Field& field : family.type->fields) {
        counts.edges += family.count * field.edges();
      }
    }
    if (step.kind == StepKind::Compute || step.kind == StepKind::OnTileCopy) ++counts.compute_sets;
    if (compiler::movesMessages(step.kind)) ++counts.exchanges;
  }
  return counts;
}

std::optional<OutOfMemory> outOfMemory(const Executable& executable) {
  const std::vector<TileMemory>& tiles = executable.memory.tiles;
  const auto worst = std::max_element(
      tiles.begin(), tiles.end(),
      [](const TileMemory& a, const TileMemory& b) { return a.bytes_over < b.bytes_over; });
  if (worst == tiles.end() || worst->bytes_over == Bytes(0)) return std::nullopt;
  const std::string step =
      executable.positions.empty()
          ? ""
          : executable.steps[indexOf(executable.positions[worst->peak_position])].name;
  return OutOfMemory{static_cast<std::uint32_t>(worst - tiles.begin()), step, worst->over_category,
                     worst->bytes_over};
}

namespace {

/// Adds the nodes of a compiled program.
struct NodeWriter {
  std::vector<ProgramNode>& nodes;

  void operator()(StepId step) const { nodes.emplace_back(static_cast<std::uint32_t>(step)); }
  void operator()(const compiler::Loop& loop) const {
    nodes.emplace_back(ProgramLoop{loop.iterations, summarizeProgram(loop.body)});
  }
};

}  // namespace

std::vector<ProgramNode> summarizeProgram(const std::vector<compiler::Control>& control) {
  std::vector<ProgramNode> nodes;
  nodes.reserve(control.size());
  walk(control, NodeWriter{nodes});
  return nodes;
}

}  // namespace ipusim::run
