// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/lower.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "sim/compile/liveness.h"
#include "sim/compile/lower_compute.h"
#include "sim/compile/placement.h"
#include "sim/compile/transfer.h"

namespace ipusim::compiler {

using workloads::Graph;
using workloads::Move;
using workloads::Program;
using workloads::ProgramKind;

namespace {

GraphCounts countsOf(const Lowered& lowered) {
  GraphCounts counts;
  counts.variables = lowered.share_of.size();
  for (const Step& step : lowered.steps) {
    for (const BoundFamily& family : step.families) {
      counts.vertices += family.count;
      for (const workloads::Field& field : family.type->fields) {
        counts.edges += family.count * field.edges();
      }
    }
    if (step.kind == StepKind::Compute || step.kind == StepKind::OnTileCopy) ++counts.compute_sets;
    if (step.kind == StepKind::Exchange) ++counts.exchanges;
  }
  return counts;
}

class Lowering {
 public:
  Lowering(const Graph& graph, std::uint32_t tiles) : graph_(graph), placement_(graph, tiles) {}

  Lowered run() {
    walk(graph_.program(), result_.control);
    result_.positions = programOrder(result_.control);
    placement_.moveInto(result_);
    setLiveRanges(result_);
    result_.counts = countsOf(result_);
    return std::move(result_);
  }

 private:
  void walk(const Program& program, std::vector<ControlNode>& into) {
    switch (program.kind) {
      case ProgramKind::Sequence:
        for (const Program& child : program.children) walk(child, into);
        return;
      case ProgramKind::Repeat: {
        ControlNode loop{{}, program.count, {}};
        for (const Program& child : program.children) walk(child, loop.body);
        if (!loop.body.empty()) into.push_back(std::move(loop));
        return;
      }
      case ProgramKind::Call:
        for (const ControlNode& node : bodyOf(FunctionId{program.index})) into.push_back(node);
        return;
      case ProgramKind::Execute:
        append(lowerComputeSet(graph_.computeSets().at(program.index), placement_), into);
        return;
      case ProgramKind::HostCopy:
        append(lowerHostCopy(graph_.hostCopies().at(program.index)), into);
        return;
      case ProgramKind::Copy:
        append(lowerCopy(graph_.copies().at(program.index)), into);
        return;
    }
  }

  /// The steps of a function: the same ones at each call.
  const std::vector<ControlNode>& bodyOf(FunctionId function) {
    const auto known = functions_.find(function);
    if (known != functions_.end()) return known->second;
    std::vector<ControlNode> body;
    walk(graph_.functions().at(indexOf(function)), body);
    return functions_[function] = std::move(body);
  }

  std::vector<Step> lowerCopy(const workloads::CopyStep& copy) {
    Transfer transfer(placement_);
    for (const Move& move : copy.moves) {
      const Bytes element = placement_.elementBytes(move.from);
      for (const auto& landing : workloads::cut(swapped(move.walk), placement_.mapping(move.to))) {
        const BlockId to = placement_.share(move.to, landing.tile);
        for (const auto& part :
             workloads::cut(swapped(landing.walk), placement_.mapping(move.from))) {
          const BlockId from = placement_.share(move.from, part.tile);
          transfer.add({from, to, element, inBytes(part.walk, element)});
        }
      }
    }
    return transfer.take(copy.name);
  }

  static std::vector<Step> lowerHostCopy(const workloads::HostCopyStep& copy) {
    Step sync{copy.name + "/Sync", StepKind::Sync, {}, {}, {}};
    Step transfer{copy.name, StepKind::HostCopy, {}, {}, {}};
    transfer.host = {copy.direction, copy.bytes, copy.path, copy.variables};
    return {std::move(sync), std::move(transfer)};
  }

  void append(std::vector<Step> steps, std::vector<ControlNode>& into) {
    for (Step& step : steps) {
      into.push_back({static_cast<StepId>(result_.steps.size()), 0, {}});
      result_.steps.push_back(std::move(step));
    }
  }

  const Graph& graph_;
  Placement placement_;
  std::map<FunctionId, std::vector<ControlNode>> functions_;
  Lowered result_;
};

}  // namespace

Lowered lower(const Graph& graph, std::uint32_t tiles) {
  return Lowering(graph, tiles).run();
}

}  // namespace ipusim::compiler
