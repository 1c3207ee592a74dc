// SPDX-License-Identifier: Apache-2.0
#include "poplar/tile_compiler/machine_facts.h"
#include "poplar/tile_compiler/select/rules.h"

namespace ipusim::tile_compiler {
namespace {

/// The count without the one that was added to it, when that is how it is made.
std::optional<Operand> withoutOne(const Selection& to, const Operand& count) {
  const Operation* const maker = to.definition(count);
  if (maker == nullptr || maker->op != Op::Add || !maker->operands[1].isConstant(1)) {
    return std::nullopt;
  }
  return maker->operands[0];
}

/// The counter of brnzdec starts one below the trips; the other forms start at them.
void selectEntry(Selection& to, const Operation& operation) {
  const Operand count = to.uses().resolve(operation.operands[0]);
  if (operation.loop == LoopForm::Repeat) {
    const bool is_immediate =
        count.isConstant() && static_cast<std::int64_t>(count.bits) <= kRepeatImmediateLimit;
    std::vector<RegisterPart> reads;
    if (!is_immediate) reads.push_back(to.use(count, Type::I32));
    to.emit(Lane::Main, "rpt", {}, reads).kind = Instruction::Kind::Repeat;
    return;
  }
  const RegisterPart counter = to.result(operation);
  const bool is_down = operation.loop == LoopForm::CountDown;
  if (count.isConstant()) {
    to.emit(Lane::Main, "setzi", {counter}, {});
  } else if (!is_down) {
    to.emitCopy(counter, to.use(count, Type::I32));
  } else if (const auto plain = withoutOne(to, count)) {
    to.emitCopy(counter, to.use(*plain, Type::I32));
  } else {
    to.emit(Lane::Main, "add", {counter}, {to.use(count, Type::I32)});
  }
}

void selectBranch(Selection& to, const Operation& operation) {
  if (operation.loop == LoopForm::Repeat) return;
  const RegisterPart counter = to.use(operation.operands[0], Type::I32);
  if (operation.loop == LoopForm::AddBranch) {
    to.emit(Lane::Main, "add", {counter}, {counter}).tied = true;
    to.emit(Lane::Main, "brnz", {}, {counter}).kind = Instruction::Kind::Control;
    return;
  }
  Instruction& branch = to.emit(Lane::Main, "brnzdec", {counter}, {counter});
  branch.kind = Instruction::Kind::Control;
  branch.tied = true;
}

}  // namespace

void selectLoop(Selection& to, const Operation& operation) {
  if (operation.op == Op::LoopEntry) {
    selectEntry(to, operation);
  } else {
    selectBranch(to, operation);
  }
}

}  // namespace ipusim::tile_compiler
