// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ipusim/host_path.h"
#include "ipusim/section.h"
#include "ipusim/tensor.h"
#include "ipusim/units.h"

namespace ipusim {

/// Elements of one variable that go to as many elements of another, in step.
struct Move {
  VariableId from;
  VariableId to;
  Walk<Ends<VariableElements, VariableElements>> walk;
};

/// Two tensors of one shape: what a copy reads, and where it goes.
struct CopyPair {
  Tensor from;
  Tensor to;
};

/// Two tensors of so many pieces that what they move is found where it is asked for.
struct LargeCopyPair {
  std::size_t before;  ///< the move of the step that it comes before
  CopyPair pair;
};

/// What a Copy moves; workloads/graph/copy_moves.h goes through it in order.
struct CopyStep {
  std::string name;
  std::vector<Move> moves;
  std::vector<LargeCopyPair> large;
};

enum class HostDirection : std::uint8_t { ToChip, ToHost };

/// What a Stream moves in one go between the host and the chip: variables that live always.
struct HostStream {
  std::string name;
  HostDirection direction;
  HostPath path;
  Bytes bytes;  ///< of the tensors that the host knows, padding not counted
  std::vector<VariableId> variables;
};

struct Program;

/// Runs the steps one after the other.
struct Sequence {
  std::vector<Program> steps;
};

/// Runs the vertices of a compute set.
struct Execute {
  ComputeSetId compute_set;
};

/// Copies from tensors to tensors of the graph.
struct Copy {
  CopyId copy;
};

/// Moves tensors between the host and the chip.
struct Stream {
  StreamId stream;
};

/// Runs the body `count` times, at least once.
struct Repeat {
  std::uint64_t count;
  Sequence body;
};

/// Runs a sub-program of the graph.
struct Call {
  FunctionId function;
};

/// Runs `then` where the only element of `predicate` is not zero, `otherwise` where it is zero.
struct If {
  Tensor predicate;
  Sequence then;
  Sequence otherwise;
};

/// Runs the case whose value is the only element of `selector`, `otherwise` where there is none.
struct Switch {
  struct Case {
    std::int32_t value;
    Sequence body;
  };

  Tensor selector;
  std::vector<Case> cases;
  Sequence otherwise;
};

/// Runs `condition`, which sets the only element of `predicate`; where that is not zero, runs
/// `body` and begins anew.
struct RepeatWhile {
  Sequence condition;
  Tensor predicate;
  Sequence body;
};

/// What a graph runs: a step, with the steps inside it.
struct Program {
  std::variant<Sequence, Execute, Copy, Stream, Repeat, Call, If, Switch, RepeatWhile> step;

  /// Puts `next` at the end of this, which is a Sequence (as a new Program is). Throws GraphError
  /// for any other step.
  void add(Program next);
};

Program execute(ComputeSetId compute_set);
Program call(FunctionId function);
Program sequence(std::vector<Program> steps);
Program repeat(std::uint64_t count, std::vector<Program> body);

/// Calls `visitor` with the step that `program` is, and gives back what the visitor answers. All
/// that goes through a program goes by this function. A visitor has one call operator for each kind
/// of step, or it does not compile; the operator of a step that has steps inside walks them as
/// often as it wants. A base for a visitor is in workloads/graph/fixed_control.h.
template <typename Visitor>
decltype(auto) walk(const Program& program, Visitor&& visitor) {
  return std::visit(std::forward<Visitor>(visitor), program.step);
}

/// Walks each step of `sequence`, in order.
template <typename Visitor>
void walk(const Sequence& sequence, Visitor&& visitor) {
  for (const Program& step : sequence.steps) walk(step, visitor);
}

}  // namespace ipusim
