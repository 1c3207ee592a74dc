// SPDX-License-Identifier: Apache-2.0
#include "sim/run/summary/summarize.h"

namespace ipusim::run {

using compiler::BoundFamily;
using compiler::Executable;
using compiler::Step;

GraphCounts countsOf(const Executable& executable) {
  GraphCounts counts;
  counts.variables = executable.lowered.share_of.size();
  for (const Step& step : executable.lowered.steps) {
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
