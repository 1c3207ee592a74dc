// SPDX-License-Identifier: Apache-2.0
#include "workloads/graph/program.h"

#include <utility>

namespace ipusim::workloads {

Program execute(ComputeSetId compute_set) {
  Program step;
  step.kind = ProgramKind::Execute;
  step.index = static_cast<std::uint32_t>(compute_set);
  return step;
}

Program call(FunctionId function) {
  Program step;
  step.kind = ProgramKind::Call;
  step.index = static_cast<std::uint32_t>(function);
  return step;
}

Program sequence(std::vector<Program> steps) {
  Program step;
  step.children = std::move(steps);
  return step;
}

Program repeat(std::uint64_t count, std::vector<Program> body) {
  Program step;
  step.kind = ProgramKind::Repeat;
  step.count = count;
  step.children = std::move(body);
  return step;
}

}  // namespace ipusim::workloads
