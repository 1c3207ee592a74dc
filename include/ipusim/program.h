// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/section.h"
#include "ipusim/tensor.h"
#include "ipusim/units.h"

namespace ipusim {

/// Moves elements of one variable to as many elements of another, in step.
struct Move {
  VariableId from;
  VariableId to;
  Walk<Ends<VariableElements, VariableElements>> walk;
};

/// `count` moves. The ends of each are a constant distance behind those of the move before. A
/// distance is a difference of unsigned numbers, and wraps where it is negative.
struct MoveRun {
  Move first;
  std::uint64_t count = 1;
  std::uint64_t from_step = 0;
  std::uint64_t to_step = 0;

  /// Where the `number`-th move begins.
  [[nodiscard]] Ends<VariableElements, VariableElements> begin(std::uint64_t number) const {
    const auto& [from, to] = first.walk.begin;
    return {VariableElements(from.value() + number * from_step),
            VariableElements(to.value() + number * to_step)};
  }
};

/// Adds `move` to the end of `runs`. A move that continues the last run becomes one more of it:
/// copies of millions of moves then need few runs.
void appendMove(std::vector<MoveRun>& runs, Move move);

/// Two tensors of one shape: a copy reads `from` and writes `to`.
struct CopyPair {
  Tensor from;
  Tensor to;
};

/// Two tensors of so many pieces that their moves are not kept, but found when they are asked for.
struct LargeCopyPair {
  std::size_t before;  ///< number of the run of the step that comes after the pair
  CopyPair pair;
};

/// What a Copy moves; workloads/graph/copy_moves.h goes through it in order.
struct CopyStep {
  std::string name;
  std::vector<MoveRun> moves;
  std::vector<LargeCopyPair> large;
};

enum class HostDirection : std::uint8_t { ToChip, ToHost };

/// What a Stream moves at once between the host and the chip: variables that live always.
struct HostStream {
  std::string name;
  HostDirection direction;
  HostPath path;
  Bytes bytes;  ///< bytes of the tensors as the host sees them, without padding
  std::vector<VariableId> variables;
};

/// Rows of equal size in the streaming memory of the machine, which the tiles do not see. Each IPU
/// has a part of that memory for itself. It holds those elements of a row that come from its tiles.
struct RemoteBuffer {
  std::string name;
  ElementType type;
  std::uint64_t row_elements;
  std::uint64_t rows;
};

enum class RemoteDirection : std::uint8_t { Load, Store };

/// The row of a buffer that a copy moves: a constant, or the only element of a tensor of whole
/// numbers, which is read during the run.
using RemoteRow = std::variant<std::uint64_t, Tensor>;

/// Moves one row between a remote buffer and a tensor with as many elements. Load fills the tensor,
/// Store fills the row.
struct RemoteCopy {
  std::string name;
  RemoteDirection direction;
  RemoteBufferId buffer;
  RemoteRow row;
  Tensor tensor;
};

/// Says that these variables hold nothing from here on: nobody reads what they held. Takes no time
/// and moves nothing. Without it, a variable that is filled part by part, such as by a loop, keeps
/// its memory from the program's begin on. A variable that lives always keeps its value.
struct WriteUndef {
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

/// Moves a row between a remote buffer and a tensor. All IPUs take part, and all tiles wait.
struct Remote {
  RemoteCopyId copy;
};

/// Moves a row as Remote does, to or from a tensor on I/O tiles, while the other tiles run `body`.
/// Ends when both have ended. The body has no Remote, Overlap or step that data decide about, and
/// leaves the I/O tiles alone.
struct Overlap {
  RemoteCopyId copy;
  Sequence body;
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

/// Runs `then` when the only element of `predicate` is not zero, and `otherwise` when it is zero.
struct If {
  Tensor predicate;
  Sequence then;
  Sequence otherwise;
};

/// Runs the case whose value equals the only element of `selector`, or `otherwise` when there is no
/// such case.
struct Switch {
  struct Case {
    std::int32_t value;
    Sequence body;
  };

  Tensor selector;
  std::vector<Case> cases;
  Sequence otherwise;
};

/// Runs `condition`, which sets the only element of `predicate`. While that element is not zero,
/// runs `body` and then `condition` again.
struct RepeatWhile {
  Sequence condition;
  Tensor predicate;
  Sequence body;
};

/// What a graph runs: one step, with any steps inside it.
struct Program {
  std::variant<Sequence, Execute, Copy, Stream, Repeat, Call, If, Switch, RepeatWhile, Remote,
               Overlap, WriteUndef>
      step;

  /// Appends `next` to this program, which must be a Sequence (a new Program is one). Throws
  /// GraphError for any other step.
  void add(Program next);
};

Program execute(ComputeSetId compute_set);
Program call(FunctionId function);
Program sequence(std::vector<Program> steps);
Program repeat(std::uint64_t count, std::vector<Program> body);
/// Says that the whole variables of `tensor` hold nothing.
Program writeUndef(const Tensor& tensor);
/// Runs `body` while `transfer`, which must be a Remote, moves its row. Throws GraphError for any
/// other step.
Program overlap(const Program& transfer, std::vector<Program> body);

/// Calls `visitor` with the step of `program`, and returns what the visitor returns. All code that
/// walks programs uses this function. A visitor needs one call operator per kind of step, or it
/// does not compile. The operator of a step with inner steps walks those as often as it wants.
/// workloads/graph/fixed_control.h has a base for visitors.
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
