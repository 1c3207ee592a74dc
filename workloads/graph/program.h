// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/ipu/cost/host.h"
#include "workloads/graph/section.h"

namespace ipusim::workloads {

/// Elements of one variable that go to as many elements of another, in step.
struct Move {
  VariableId from;
  VariableId to;
  Walk<Ends<VariableElements, VariableElements>> walk;
};

/// What a Copy moves.
struct CopyStep {
  std::string name;
  std::vector<Move> moves;
};

enum class HostDirection : std::uint8_t { ToChip, ToHost };

/// What moves between the host and the chip in one go: variables that live always.
struct HostCopyStep {
  std::string name;
  HostDirection direction;
  models::HostPath path;
  Bytes bytes;  ///< of the tensors that the host knows, padding not counted
  std::vector<VariableId> variables;
};

enum class ProgramKind : std::uint8_t { Sequence, Execute, Copy, HostCopy, Repeat, Call };

/// A step of the program, with the steps inside it.
struct Program {
  ProgramKind kind = ProgramKind::Sequence;
  std::uint32_t index =
      0;  ///< Execute: the compute set. Copy, HostCopy: the step. Call: the function.
  std::uint64_t count = 1;        ///< Repeat: how often, at least once
  std::vector<Program> children;  ///< Sequence, Repeat

  void add(Program step) { children.push_back(std::move(step)); }
};

Program execute(ComputeSetId compute_set);
Program call(FunctionId function);
Program sequence(std::vector<Program> steps);
Program repeat(std::uint64_t count, std::vector<Program> body);

}  // namespace ipusim::workloads
