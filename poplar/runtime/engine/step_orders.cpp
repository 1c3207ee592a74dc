// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/engine/step_orders.h"

#include <map>
#include <set>
#include <utility>

namespace poplar::detail {

using ipusim::compiler::Branch;
using ipusim::compiler::FlowLoop;
using ipusim::compiler::Flows;
using ipusim::compiler::FlowSteps;
using ipusim::compiler::FlowUndef;
using ipusim::compiler::WhileLoop;

namespace {

/// More positions than this take longer to lay out than they are worth.
constexpr std::size_t kMostPositions = 200'000;
constexpr std::size_t kMostVisits = 10 * kMostPositions;

/// The variables all whose elements a tensor has.
std::vector<ipusim::VariableId> wholeVariablesOf(const TensorData& tensor,
                                                 const ipusim::Graph& graph) {
  std::vector<ipusim::VariableId> whole;
  if (hasAliases(&tensor)) return whole;
  std::map<ipusim::VariableId, std::uint64_t> elements;
  for (const auto& piece : tensor.view.pieces()) {
    elements[piece.variable] += ipusim::elementsOf({piece.extent.begin(), piece.extent.end()});
  }
  for (const auto& [variable, count] : elements) {
    if (count == graph.variable(variable).elements) whole.push_back(variable);
  }
  return whole;
}

/// Makes the flow of a program. A function is part of each program that calls it.
class FlowOf {
 public:
  explicit FlowOf(const ExecutableData& data) : data_(data) {}

  Flows run(const ProgramData& program) {
    Flows outer = std::exchange(flows_, {});
    visit(program);
    return std::exchange(flows_, std::move(outer));
  }
  /// Functions that call one another twice may be visited without end and have no position.
  [[nodiscard]] bool isTooLong() const {
    return positions_ > kMostPositions || visits_ > kMostVisits;
  }

 private:
  void visit(const ProgramData& program) {
    ++visits_;
    if (isTooLong()) return;
    switch (program.kind) {
      case ProgramKind::Sequence:
        for (const Ref<ProgramData>& step : program.steps) visit(*step);
        return;
      case ProgramKind::Repeat:
        return visitRepeat(program);
      case ProgramKind::RepeatWhile:
        return visitWhile(program);
      case ProgramKind::If:
      case ProgramKind::Switch:
        return visitBranch(program);
      case ProgramKind::Call:
        return visit(*data_.functions[program.number]);
      case ProgramKind::WriteUndef:
        flows_.emplace_back(FlowUndef{wholeVariablesOf(*program.to, data_.graph)});
        return;
      default:
        return addSteps(program);
    }
  }

  Flows body(const ProgramData& program, std::size_t index) { return run(*program.steps[index]); }

  /// Steps that never run have memory, too.
  void visitRepeat(const ProgramData& program) {
    if (program.number == 0) return visitBodies(program);
    flows_.emplace_back(FlowLoop{program.number, body(program, 0)});
  }

  void visitWhile(const ProgramData& program) {
    WhileLoop loop{{}, {}, body(program, 0), {}};
    Flows outer = std::exchange(flows_, std::move(loop.condition));
    addSteps(program);
    loop.condition = std::exchange(flows_, std::move(outer));
    loop.body = body(program, 1);
    flows_.emplace_back(std::move(loop));
  }

  void visitBranch(const ProgramData& program) {
    addSteps(program);
    visitBodies(program);
  }

  void visitBodies(const ProgramData& program) {
    Branch branch{{}, {}, {}};
    for (std::size_t s = 0; s < program.steps.size(); ++s) {
      branch.bodies.push_back(body(program, s));
    }
    flows_.emplace_back(std::move(branch));
  }

  void addSteps(const ProgramData& program) {
    const StepRange range = data_.rangeOf(program);
    positions_ += range.end - range.first;
    if (range.first == range.end) return;
    flows_.emplace_back(
        FlowSteps{static_cast<ipusim::StepId>(range.first), range.end - range.first});
  }

  const ExecutableData& data_;
  Flows flows_;  ///< what the innermost body that is being visited has so far
  std::size_t positions_ = 0;
  std::size_t visits_ = 0;  ///< of programs, also those without a step
};

/// Gathers the variables of tensors.
class VariableSet {
 public:
  void add(const TensorData& tensor) {
    for (const auto& piece : tensor.view.pieces()) variables_.insert(piece.variable);
  }
  void add(const Ref<TensorData>& tensor) {
    if (tensor) add(*tensor);
  }
  [[nodiscard]] std::vector<ipusim::VariableId> take() const {
    return {variables_.begin(), variables_.end()};
  }

 private:
  std::set<ipusim::VariableId> variables_;
};

void addReached(const ProgramData& step, VariableSet& kept) {
  switch (step.kind) {
    case ProgramKind::Copy:
    case ProgramKind::StreamIn:
    case ProgramKind::StreamOut:
    case ProgramKind::RemoteIn:
    case ProgramKind::RemoteOut:
      return kept.add(step.row);
    case ProgramKind::WriteUndef:
      return;
    default:
      kept.add(step.from);
      kept.add(step.to);
  }
}

}  // namespace

ipusim::compiler::StepOrders stepOrders(const ExecutableData& data,
                                        const std::vector<const ProgramData*>& steps) {
  ipusim::compiler::StepOrders orders;
  FlowOf flow(data);
  for (const Ref<ProgramData>& program : data.played) {
    orders.programs.push_back(flow.run(*program));
  }
  VariableSet kept;
  for (const HostTensorState& host : data.state->host_tensors) kept.add(*host.tensor);
  for (const InitialValues& values : data.state->initial) kept.add(*values.tensor);
  for (const ProgramData* step : steps) addReached(*step, kept);
  orders.always_live = kept.take();
  if (!flow.isTooLong()) return orders;
  orders = {};
  for (std::size_t v = 0; v < data.graph.variables().size(); ++v) {
    orders.always_live.push_back(static_cast<ipusim::VariableId>(v));
  }
  return orders;
}

}  // namespace poplar::detail
