// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/graph/program_checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "poplar/exceptions.hpp"
#include "poplar/runtime/graph/element_bytes.h"

namespace poplar::detail {

namespace {

control_program_error fault(const std::string& what) {
  return control_program_error(what.c_str());
}

const TensorData& present(const char* step, const Ref<TensorData>& tensor) {
  if (tensor) return *tensor;
  throw fault(fmt::format("{}: wanted a tensor, found none", step));
}

/// The tensor that decides has one element that is a whole number.
void checkDecision(const char* step, const Ref<TensorData>& tensor) {
  const TensorData& decides = present(step, tensor);
  if (decides.elements() == 1 && !isFraction(decides.type)) return;
  throw fault(
      fmt::format("{} on {}: wanted one element of bool or of a whole number, found {} of {}", step,
                  decides.text(), decides.elements(), spellingOf(decides.type)));
}

void checkWriteable(const char* step, const Ref<TensorData>& tensor) {
  const TensorData& to = present(step, tensor);
  const bool is_constant = hasConstant(&to);
  if (!is_constant && !hasAliases(&to)) return;
  throw fault(fmt::format("{} to {}: wanted elements that each can be written once, found a {}",
                          step, to.text(), is_constant ? "constant" : "view that repeats some"));
}

void checkCopy(const ProgramData& step) {
  const TensorData& from = present("Copy", step.from);
  const TensorData& to = present("Copy", step.to);
  if (from.elements() != to.elements() || from.type != to.type) {
    throw fault(fmt::format("Copy of {} {} to {} {}: wanted as many elements of one type",
                            spellingOf(from.type), from.text(), spellingOf(to.type), to.text()));
  }
  checkWriteable("Copy", step.to);
}

void checkRemote(const ProgramData& step) {
  constexpr const char* kStep = "Copy of a remote buffer";
  if (step.kind == ProgramKind::RemoteIn) {
    checkWriteable(kStep, step.to);
  } else {
    present(kStep, step.from);
  }
  if (step.row) checkDecision(kStep, step.row);
}

/// A stamp is a 64-bit counter, low word first.
void checkStamp(const Ref<TensorData>& tensor) {
  const TensorData& stamp = present("cycleStamp", tensor);
  if (stamp.elements() * bytesOf(stamp.type) == sizeof(std::uint64_t)) return;
  throw fault(fmt::format("cycleStamp to {}: wanted 8 bytes, found {} of {}", stamp.text(),
                          stamp.elements(), spellingOf(stamp.type)));
}

/// How many steps are inside a step of that kind; any number of a Sequence.
std::size_t innerSteps(const ProgramData& step) {
  switch (step.kind) {
    case ProgramKind::Sequence:
      return step.steps.size();
    case ProgramKind::Repeat:
      return 1;
    case ProgramKind::If:
    case ProgramKind::RepeatWhile:
      return 2;
    case ProgramKind::Switch:
      return step.cases.size() + 1;
    default:
      return 0;
  }
}

void checkInnerSteps(const ProgramData& step) {
  const std::size_t wanted = innerSteps(step);
  if (step.steps.size() != wanted) {
    throw fault(fmt::format("program: wanted {} inner steps, found {}", wanted, step.steps.size()));
  }
  const bool are_all = std::all_of(step.steps.begin(), step.steps.end(),
                                   [](const Ref<ProgramData>& inner) { return bool(inner); });
  if (!are_all) throw fault("program: wanted a step, found none");
}

}  // namespace

void checkStep(const ProgramData& step) {
  checkInnerSteps(step);
  switch (step.kind) {
    case ProgramKind::Execute:
      if (step.to) checkDecision("Execute", step.to);
      return;
    case ProgramKind::Copy:
      return checkCopy(step);
    case ProgramKind::StreamIn:
      return checkWriteable("Copy of a stream", step.to);
    case ProgramKind::StreamOut:
      static_cast<void>(present("Copy to a stream", step.from));
      return;
    case ProgramKind::RemoteIn:
    case ProgramKind::RemoteOut:
      return checkRemote(step);
    case ProgramKind::RepeatWhile:
      return checkDecision("RepeatWhile", step.from);
    case ProgramKind::If:
      return checkDecision("If", step.from);
    case ProgramKind::Switch:
      return checkDecision("Switch", step.from);
    case ProgramKind::Print:
      static_cast<void>(present("PrintTensor", step.from));
      return;
    case ProgramKind::WriteUndef:
      static_cast<void>(present("WriteUndef", step.to));
      return;
    case ProgramKind::Abort:
      if (step.from) checkDecision("AbortOnCondition", step.from);
      return;
    case ProgramKind::CycleStamp:
      checkStamp(step.to);
      if (step.from) checkStamp(step.from);
      return;
    case ProgramKind::Sequence:
    case ProgramKind::LibraryExecute:
    case ProgramKind::LibraryCopy:
    case ProgramKind::Repeat:
    case ProgramKind::Call:
    case ProgramKind::Sync:
    case ProgramKind::HostCall:
      return;
  }
}

std::size_t Nesting::depthOf(const ProgramData& step) const {
  const auto found = depths_.find(&step);
  return found == depths_.end() ? 0 : found->second;
}

void Nesting::add(const ProgramData& step, const std::vector<Ref<ProgramData>>& functions) {
  std::size_t inside = 0;
  for (const Ref<ProgramData>& inner : step.steps) {
    if (inner) inside = std::max(inside, depthOf(*inner));
  }
  if (step.kind == ProgramKind::Call) {
    if (step.number >= functions.size()) {
      throw fault("Call: wanted a function of the graph, found another");
    }
    if (functions[step.number]) inside = depthOf(*functions[step.number]);
  }
  if (inside >= kDeepest) {
    throw fault(
        fmt::format("program: wanted steps inside steps to a depth of {} at most", kDeepest));
  }
  depths_[&step] = inside + 1;
}

}  // namespace poplar::detail
