// SPDX-License-Identifier: Apache-2.0
#include "sim/poplar/program_data.h"

#include <fmt/format.h>

#include <memory>

#include "poplar/exceptions.hpp"
#include "sim/poplar/element_bytes.h"

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

/// The tensor that decides: one element that is a whole number.
Ref<TensorData> decision(const char* step, const TensorData* tensor) {
  const bool is_fraction = tensor->type == TypeId::Float || tensor->type == TypeId::Half ||
                           tensor->type == TypeId::Double || tensor->type == TypeId::Quarter;
  if (tensor->elements() == 1 && !is_fraction) return Ref<TensorData>(tensor);
  throw control_program_error(
      fmt::format("{} on {}: wanted one element of bool or of a whole number, found {} of {}", step,
                  tensor->text(), tensor->elements(), spellingOf(tensor->type))
          .c_str());
}

void checkWriteable(const char* step, const TensorData* tensor) {
  if (!hasConstant(tensor) && !hasAliases(tensor)) return;
  throw control_program_error(
      fmt::format("{} to {}: wanted elements that each can be written once, found a {}", step,
                  tensor->text(), hasConstant(tensor) ? "constant" : "view that repeats some")
          .c_str());
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
  made->to = decision("Execute", all_true);
  return made.release();
}

ProgramData* makeCopy(const TensorData* from, const TensorData* to, Text name) {
  if (from->elements() != to->elements() || from->type != to->type) {
    throw control_program_error(
        fmt::format("Copy of {} {} to {} {}: wanted as many elements of one type",
                    spellingOf(from->type), from->text(), spellingOf(to->type), to->text())
            .c_str());
  }
  checkWriteable("Copy", to);
  auto made = program(ProgramKind::Copy);
  made->text = stringOf(name);
  made->from = Ref<TensorData>(from);
  made->to = Ref<TensorData>(to);
  return made.release();
}

ProgramData* makeStream(std::uint32_t stream, const TensorData* tensor, TransferTo to, Text name) {
  const bool is_in = to == TransferTo::Device;
  if (is_in) checkWriteable("Copy of a stream", tensor);
  auto made = program(is_in ? ProgramKind::StreamIn : ProgramKind::StreamOut, stream);
  made->text = stringOf(name);
  (is_in ? made->to : made->from) = Ref<TensorData>(tensor);
  return made.release();
}

ProgramData* makeRemote(std::uint32_t buffer, const TensorData* tensor, const TensorData* row,
                        TransferTo to, Text name) {
  const bool is_in = to == TransferTo::Device;
  if (is_in) checkWriteable("Copy of a remote buffer", tensor);
  auto made = program(is_in ? ProgramKind::RemoteIn : ProgramKind::RemoteOut, buffer);
  made->text = stringOf(name);
  (is_in ? made->to : made->from) = Ref<TensorData>(tensor);
  if (row != nullptr) made->row = decision("Copy of a remote buffer", row);
  return made.release();
}

ProgramData* makeRepeat(std::uint64_t count, const ProgramData* body) {
  auto made = program(ProgramKind::Repeat, count);
  made->steps = {stepOf(body)};
  return made.release();
}

ProgramData* makeRepeatWhile(const ProgramData* condition, const TensorData* predicate,
                             const ProgramData* body, LoopUntil until) {
  auto made = program(ProgramKind::RepeatWhile);
  made->from = decision("RepeatWhile", predicate);
  made->is_true = until == LoopUntil::False;
  made->steps = {stepOf(condition), stepOf(body)};
  return made.release();
}

ProgramData* makeIf(const TensorData* predicate, const ProgramData* then,
                    const ProgramData* otherwise) {
  auto made = program(ProgramKind::If);
  made->from = decision("If", predicate);
  made->steps = {stepOf(then), stepOf(otherwise)};
  return made.release();
}

ProgramData* makeSwitch(const TensorData* control, const ProgramData* otherwise) {
  auto made = program(ProgramKind::Switch);
  made->from = decision("Switch", control);
  made->steps = {stepOf(otherwise)};
  return made.release();
}

ProgramData* makeCall(std::uint32_t function) {
  return program(ProgramKind::Call, function).release();
}

ProgramData* makePrint(Text title, const TensorData* tensor) {
  auto made = program(ProgramKind::Print);
  made->text = stringOf(title);
  made->from = Ref<TensorData>(tensor);
  return made.release();
}

ProgramData* makeSync(Text name) {
  auto made = program(ProgramKind::Sync);
  made->text = stringOf(name);
  return made.release();
}

ProgramData* makeAbort(const TensorData* condition, Text message) {
  auto made = program(ProgramKind::Abort);
  made->text = stringOf(message);
  if (condition != nullptr) made->from = decision("AbortOnCondition", condition);
  return made.release();
}

ProgramData* makeCycleStamp(const TensorData* stamp, const TensorData* since) {
  auto made = program(ProgramKind::CycleStamp);
  made->to = Ref<TensorData>(stamp);
  made->from = Ref<TensorData>(since);
  return made.release();
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
