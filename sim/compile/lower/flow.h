// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "models/ipu/machine/execution_record.h"
#include "sim/compile/lower/control.h"

namespace ipusim::compiler {

struct FlowLoop;
struct FlowUndef;
struct Branch;
struct WhileLoop;

/// The steps that one step of a graph's program became, one after the other. There may be none.
struct FlowSteps {
  StepId first;
  std::uint32_t count;

  /// Calls `visit` with each step.
  template <typename Visit>
  void forEach(const Visit& visit) const {
    for (std::size_t s = indexOf(first); s < indexOf(first) + count; ++s) {
      visit(static_cast<StepId>(s));
    }
  }
};

/// What may run at one point of a program, whatever the data are.
using Flow = std::variant<FlowSteps, FlowLoop, FlowUndef, Branch, WhileLoop>;
using Flows = std::vector<Flow>;

/// The body runs `iterations` times, at least once.
struct FlowLoop {
  std::uint64_t iterations;
  Flows body;
};

/// From here on these variables hold nothing.
struct FlowUndef {
  std::vector<VariableId> variables;
};

/// One of the bodies runs.
struct Branch {
  BranchId id;
  std::string what;  ///< the step and its variable, for messages
  std::vector<Flows> bodies;
};

/// The condition runs, and then any number of times the body and the condition.
struct WhileLoop {
  WhileId id;
  std::string what;  ///< the step and its variable, for messages
  Flows condition;
  Flows body;
};

/// A part of a program, by the positions of its first and last steps.
struct FlowRange {
  std::uint32_t first;
  std::uint32_t last;
  bool repeats;      ///< may run again from its beginning
  bool is_optional;  ///< may not run at all
  // The entries of FlowPositions::undefs that are inside.
  std::uint32_t first_undef = 0;
  std::uint32_t end_undef = 0;

  [[nodiscard]] bool hasUndef(std::uint32_t undef) const {
    return first_undef <= undef && undef < end_undef;
  }
};

/// A variable that holds nothing when the program comes to a position.
struct PositionUndef {
  std::uint32_t position;
  VariableId variable;
};

/// The positions of a program: all steps that may run, in order. A body counts once, and the bodies
/// of a Branch follow one another.
struct FlowPositions {
  std::vector<StepId> steps;
  /// One entry per position: the first position of its FlowSteps.
  std::vector<std::uint32_t> begins;
  std::vector<FlowRange> ranges;  ///< inner ranges come before outer ones
  /// In the order of the program. One behind the last step of a body is left out: the position
  /// behind it is outside.
  std::vector<PositionUndef> undefs;
};
FlowPositions positionsOf(const Flows& flows);

/// In which orders the steps of a graph run.
struct StepOrders {
  std::vector<Flows> programs;          ///< each may run at any time, any number of times
  std::vector<VariableId> always_live;  ///< variables that something else than a step reaches
};

/// True when data decide what runs.
bool dependsOnData(const Flows& flows);

/// What runs when every Branch and WhileLoop does what `record` says. Iterations that are alike and
/// follow one another become one loop. Throws RecordError where the record says nothing of an
/// iteration or of too many, where it names a body that a Branch does not have, and where the run
/// comes to more steps than the record allows.
std::vector<Control> replayed(const Flows& flows, const ExecutionRecord& record);

}  // namespace ipusim::compiler
