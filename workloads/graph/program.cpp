// SPDX-License-Identifier: Apache-2.0
#include "ipusim/program.h"

#include <algorithm>
#include <utility>

#include "ipusim/error.h"

namespace ipusim {

void Program::add(Program next) {
  auto* const steps = std::get_if<Sequence>(&step);
  if (steps == nullptr) throw GraphError("a step can be added to a Sequence only");
  steps->steps.push_back(std::move(next));
}

Program execute(ComputeSetId compute_set) {
  return {Execute{compute_set}};
}

Program call(FunctionId function) {
  return {Call{function}};
}

Program sequence(std::vector<Program> steps) {
  return {Sequence{std::move(steps)}};
}

Program repeat(std::uint64_t count, std::vector<Program> body) {
  return {Repeat{count, {std::move(body)}}};
}

Program writeUndef(const Tensor& tensor) {
  WriteUndef undef;
  for (const Tensor::Piece& piece : tensor.pieces()) undef.variables.push_back(piece.variable);
  std::sort(undef.variables.begin(), undef.variables.end());
  undef.variables.erase(std::unique(undef.variables.begin(), undef.variables.end()),
                        undef.variables.end());
  return {std::move(undef)};
}

Program overlap(const Program& transfer, std::vector<Program> body) {
  const auto* const remote = std::get_if<Remote>(&transfer.step);
  if (remote == nullptr) throw GraphError("only a Remote can run beside other steps");
  return {Overlap{remote->copy, {std::move(body)}}};
}

}  // namespace ipusim
