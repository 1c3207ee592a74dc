// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/graph/program_data.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "poplar/exceptions.hpp"
#include "poplar/runtime/graph/element_bytes.h"
#include "poplar/runtime/graph/program_checks.h"

namespace poplar::detail {

ProgramData::ProgramData(const ProgramData& other)
    : Shared(),
      kind(other.kind),
      number(other.number),
      text(other.text),
      from(other.from),
      to(other.to),
      row(other.row),
      is_true(other.is_true),
      cases(other.cases),
      steps(other.steps) {}

void retain(ProgramData* program) {
  retained(program);
}
void release(ProgramData* program) {
  released(program);
}

namespace {

std::unique_ptr<ProgramData> program(ProgramKind kind, std::uint64_t number = 0) {
  auto made = std::make_unique<ProgramData>();
  made->kind = kind;
  made->number = number;
  return made;
}

Ref<ProgramData> stepOf(const ProgramData* step) {
  return Ref<ProgramData>(step);
}

/// Gives the program away where it is as its kind needs it.
ProgramData* checked(std::unique_ptr<ProgramData> made) {
  checkStep(*made);
  return made.release();
}

/// A program that nobody else holds, to be changed. Takes `program` over.
ProgramData* alone(ProgramData* program) {
  if (program->references == 1) return program;
  auto* copy = new ProgramData(*program);
  released(program);
  return copy;
}

}  // namespace

ProgramData* makeSequence(const ProgramData* const* steps, std::size_t count) {
  auto made = program(ProgramKind::Sequence);
  for (std::size_t s = 0; s < count; ++s) made->steps.push_back(stepOf(steps[s]));
  return made.release();
}

ProgramData* makeExecute(std::uint32_t compute_set, Text name) {
  auto made = program(ProgramKind::Execute, compute_set);
  made->text = stringOf(name);
  return made.release();
}

ProgramData* makeExecute(std::uint32_t compute_set, const TensorData* all_true, Text name) {
  auto made = program(ProgramKind::Execute, compute_set);
  made->text = stringOf(name);
  made->to = Ref<TensorData>(all_true);
  return checked(std::move(made));
}

ProgramData* makeCopy(const TensorData* from, const TensorData* to, Text name) {
  auto made = program(ProgramKind::Copy);
  made->text = stringOf(name);
  made->from = Ref<TensorData>(from);
  made->to = Ref<TensorData>(to);
  return checked(std::move(made));
}

ProgramData* makeStream(std::uint32_t stream, const TensorData* tensor, TransferTo to, Text name) {
  const bool is_in = to == TransferTo::Device;
  auto made = program(is_in ? ProgramKind::StreamIn : ProgramKind::StreamOut, stream);
  made->text = stringOf(name);
  (is_in ? made->to : made->from) = Ref<TensorData>(tensor);
  return checked(std::move(made));
}

ProgramData* makeRemote(std::uint32_t buffer, const TensorData* tensor, const TensorData* row,
                        TransferTo to, Text name) {
  const bool is_in = to == TransferTo::Device;
  auto made = program(is_in ? ProgramKind::RemoteIn : ProgramKind::RemoteOut, buffer);
  made->text = stringOf(name);
  (is_in ? made->to : made->from) = Ref<TensorData>(tensor);
  made->row = Ref<TensorData>(row);
  return checked(std::move(made));
}

ProgramData* makeRepeat(std::uint64_t count, const ProgramData* body) {
  auto made = program(ProgramKind::Repeat, count);
  made->steps = {stepOf(body)};
  return checked(std::move(made));
}

ProgramData* makeRepeatWhile(const ProgramData* condition, const TensorData* predicate,
                             const ProgramData* body, LoopUntil until) {
  auto made = program(ProgramKind::RepeatWhile);
  made->from = Ref<TensorData>(predicate);
  made->is_true = until == LoopUntil::False;
  made->steps = {stepOf(condition), stepOf(body)};
  return checked(std::move(made));
}

ProgramData* makeIf(const TensorData* predicate, const ProgramData* then,
                    const ProgramData* otherwise) {
  auto made = program(ProgramKind::If);
  made->from = Ref<TensorData>(predicate);
  made->steps = {stepOf(then), stepOf(otherwise)};
  return checked(std::move(made));
}

ProgramData* makeSwitch(const TensorData* control, const ProgramData* otherwise) {
  auto made = program(ProgramKind::Switch);
  made->from = Ref<TensorData>(control);
  made->steps = {stepOf(otherwise)};
  return checked(std::move(made));
}

ProgramData* makeCall(std::uint32_t function) {
  return program(ProgramKind::Call, function).release();
}

ProgramData* makeHostCall(std::uint32_t function) {
  return program(ProgramKind::HostCall, function).release();
}

void checkArgument(const TensorData* tensor, TypeId type, std::size_t elements) {
  if (tensor->type == type && tensor->elements() == elements) return;
  throw control_program_error(
      fmt::format("Call of a host function on {}: wanted {} elements of {}, found {} of {}",
                  tensor->text(), elements, spellingOf(type), tensor->elements(),
                  spellingOf(tensor->type))
          .c_str());
}

ProgramData* makePrint(Text title, const TensorData* tensor) {
  auto made = program(ProgramKind::Print);
  made->text = stringOf(title);
  made->from = Ref<TensorData>(tensor);
  return checked(std::move(made));
}

ProgramData* makeSync(Text name) {
  auto made = program(ProgramKind::Sync);
  made->text = stringOf(name);
  return made.release();
}

ProgramData* makeWriteUndef(const TensorData* tensor) {
  auto made = program(ProgramKind::WriteUndef);
  made->to = Ref<TensorData>(tensor);
  return checked(std::move(made));
}

ProgramData* makeAbort(const TensorData* condition, Text message) {
  auto made = program(ProgramKind::Abort);
  made->text = stringOf(message);
  made->from = Ref<TensorData>(condition);
  return checked(std::move(made));
}

ProgramData* makeCycleStamp(const TensorData* stamp, const TensorData* since) {
  auto made = program(ProgramKind::CycleStamp);
  made->to = Ref<TensorData>(stamp);
  made->from = Ref<TensorData>(since);
  return checked(std::move(made));
}

ProgramData* withStep(ProgramData* program, const ProgramData* step) {
  ProgramData* changed = alone(program);
  changed->steps.push_back(stepOf(step));
  return changed;
}

ProgramData* withCase(ProgramData* program, std::int32_t value, const ProgramData* body) {
  ProgramData* changed = alone(program);
  changed->cases.push_back(value);
  changed->steps.push_back(stepOf(body));
  return changed;
}

}  // namespace poplar::detail
