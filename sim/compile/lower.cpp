// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/lower.h"

#include <map>
#include <utility>

#include "sim/compile/liveness.h"
#include "sim/compile/lower_compute.h"
#include "sim/compile/placement.h"
#include "sim/compile/transfer.h"
#include "workloads/graph/copy_moves.h"
#include "workloads/graph/fixed_control.h"

namespace ipusim::compiler {

namespace {

class Lowering : public FixedControl<void> {
 public:
  Lowering(const Graph& graph, std::uint32_t tiles)
      : FixedControl(graph), placement_(graph, tiles) {}

  Lowered run() {
    walk(graph().program(), *this);
    Lowered result;
    result.steps = std::move(steps_);
    result.control = std::move(control_);
    result.positions = programOrder(result.control);
    placement_.moveInto(result);
    setLiveRanges(result);
    return result;
  }

  using FixedControl::operator();
  void operator()(const Sequence& sequence) { walk(sequence, *this); }
  void operator()(const Execute& step) {
    append(lowerComputeSet(graph().computeSets().at(indexOf(step.compute_set)), placement_));
  }
  void operator()(const Copy& step) { append(lowerCopy(graph().copy(step.copy))); }
  void operator()(const Stream& step) { append(lowerStream(graph().stream(step.stream))); }
  void operator()(const Repeat& repeat) {
    Loop loop{repeat.count, controlOf(repeat.body)};
    if (!loop.body.empty()) control_.emplace_back(std::move(loop));
  }
  void operator()(const Call& call) {
    const std::vector<Control>& body = bodyOf(call.function);
    control_.insert(control_.end(), body.begin(), body.end());
  }

 private:
  /// Lowers what is inside a step; `inside` is a Sequence or a Program.
  template <typename Inside>
  std::vector<Control> controlOf(const Inside& inside) {
    std::vector<Control> outer = std::exchange(control_, {});
    walk(inside, *this);
    return std::exchange(control_, std::move(outer));
  }

  /// The control of a function. The function is lowered at its first call, because every call runs
  /// equal steps.
  const std::vector<Control>& bodyOf(FunctionId function) {
    const auto known = functions_.find(function);
    if (known != functions_.end()) return known->second;
    std::vector<Control> body = controlOf(graph().function(function));
    return functions_[function] = std::move(body);
  }

  std::vector<Step> lowerCopy(const CopyStep& copy) {
    Transfer transfer(placement_);
    visitMoves(copy, [&](const Move& move) { lowerMove(move, transfer); });
    return transfer.take(copy.name);
  }

  void lowerMove(const Move& move, Transfer& transfer) {
    const Bytes element = placement_.elementBytes(move.from);
    if (lowerUncut(move, element, transfer)) return;
    cut(swapped(move.walk), placement_.mapping(move.to), landings_);
    for (const auto& landing : landings_) {
      const BlockId to = placement_.share(move.to, landing.tile);
      cut(swapped(landing.walk), placement_.mapping(move.from), parts_);
      for (const auto& part : parts_) {
        const BlockId from = placement_.share(move.from, part.tile);
        transfer.add({from, to, element, inBytes(part.walk, element)});
      }
    }
  }

  /// Adds a move that stays in one interval at both ends, as most moves do. Returns false for any
  /// other move.
  bool lowerUncut(const Move& move, Bytes element, Transfer& transfer) {
    const VariableElements each(1);
    const auto end = move.walk.begin + move.walk.span({each, each});
    const MappedInterval& from = placement_.mapping(move.from).at(move.walk.begin.from.value());
    const MappedInterval& to = placement_.mapping(move.to).at(move.walk.begin.to.value());
    if (end.from.value() > from.end || end.to.value() > to.end) return false;
    auto walk = inBytes(move.walk, element);
    walk.begin = {element * (move.walk.begin.from.value() - from.begin + from.local),
                  element * (move.walk.begin.to.value() - to.begin + to.local)};
    transfer.add({placement_.share(move.from, from.tile), placement_.share(move.to, to.tile),
                  element, std::move(walk)});
    return true;
  }

  static std::vector<Step> lowerStream(const HostStream& stream) {
    Step sync{stream.name + "/Sync", StepKind::Sync, {}, {}, {}};
    Step transfer{stream.name, StepKind::HostCopy, {}, {}, {}};
    transfer.host = {stream.direction, stream.bytes, stream.path, stream.variables};
    return {std::move(sync), std::move(transfer)};
  }

  void append(std::vector<Step> steps) {
    for (Step& step : steps) {
      control_.emplace_back(static_cast<StepId>(steps_.size()));
      steps_.push_back(std::move(step));
    }
  }

  Placement placement_;
  std::map<FunctionId, std::vector<Control>> functions_;
  std::vector<Step> steps_;
  std::vector<TilePart<VariableElements>> landings_;  ///< parts of a move, by where they go
  std::vector<TilePart<ShareElements>> parts_;  ///< parts of a landing, by where they come from
  /// What the innermost loop or function that is being lowered has so far.
  std::vector<Control> control_;
};

}  // namespace

Lowered lower(const Graph& graph, std::uint32_t tiles) {
  return Lowering(graph, tiles).run();
}

}  // namespace ipusim::compiler
