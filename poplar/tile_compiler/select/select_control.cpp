// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ipusim/units.h"
#include "poplar/tile_compiler/argument_places.h"
#include "poplar/tile_compiler/machine_facts.h"
#include "poplar/tile_compiler/select/rules.h"

namespace ipusim::tile_compiler {
namespace {

/// A value for a fixed place. A constant of one instruction is made in the place itself.
RegisterPart useInPlace(Selection& to, const Operand& operand, Type type, unsigned word) {
  const Operand plain = to.uses().resolve(operand);
  const auto bits = static_cast<std::uint32_t>(plain.bits >> (32 * word));
  const bool is_small = plain.isConstant() && !isPair(type);
  if (is_small && takesOneInstruction(bits, laneOf(type))) return {};
  if (isPair(type) || wordsOf(type) == 1) return to.use(operand, type);
  return to.useWord(operand, type, word);
}

void selectCall(Selection& to, const Operation& operation) {
  std::vector<Argument> arguments;
  for (std::size_t n = 0; n < operation.operands.size(); ++n) {
    const Operand& operand = operation.operands[n];
    const Type type = to.typeOf(operand, operation.argument_types[n]);
    if (isPair(type) || wordsOf(type) == 1) {
      arguments.emplace_back(useInPlace(to, operand, type, 0), type);
    } else {
      arguments.emplace_back(useInPlace(to, operand, type, 0), Type::I32);
      arguments.emplace_back(useInPlace(to, operand, type, 1), Type::I32);
    }
  }
  std::optional<Result> result;
  if (operation.result && operation.type != Type::Void) {
    result = Result{{to.resultWord(operation, 0)}, operation.type};
    if (isPair(operation.type)) result->parts = {to.result(operation)};
    if (wordsOf(operation.type) == 2 && !isPair(operation.type)) {
      result->parts.push_back(to.resultWord(operation, 1));
    }
  }
  // A function that only its address names is reached through the link register.
  if (operation.callee.empty()) to.emit(Lane::Main, "setzi", {}, {});
  emitCall(to, operation.callee, arguments, result);
}

/// The exit tells true from false by the sign or by zero, so that a last comparison is free; the
/// zero register serves both constants.
void selectExit(Selection& to, const Operation& operation) {
  Instruction end;
  end.name = "exit";
  end.kind = Instruction::Kind::Exit;
  if (!operation.operands.empty()) {
    const Operand& answer = operation.operands[0];
    if (!to.uses().resolve(answer).isConstant()) {
      const auto sign = signTestOf(to, answer);
      end.reads = {sign ? to.use(*sign, Type::I32) : testedBy(to, answer)};
    }
  }
  to.append(std::move(end));
}

void selectReturn(Selection& to, const Operation& operation) {
  if (to.function().convention == Convention::Vertex) {
    selectExit(to, operation);
    return;
  }
  Instruction end;
  end.name = "br";
  end.kind = Instruction::Kind::Control;
  end.returns = true;
  ArgumentPlaces places;
  for (const Operand& operand : operation.operands) {
    const Type type = to.typeOf(operand, to.function().result);
    const unsigned registers = isPair(type) ? 1 : wordsOf(type);
    for (unsigned word = 0; word < registers; ++word) {
      const RegisterPart part = useInPlace(to, operand, type, word);
      const auto place = places.next(registers == 1 ? type : Type::I32);
      if (place) end.fixed_reads.push_back({part, *place});
    }
  }
  to.append(std::move(end));
}

/// True when the block stands right behind the one in hand.
bool isNext(const Selection& to, BlockId target) {
  return &to.function().blocks[target] == &to.block() + 1;
}

void emitBranch(Selection& to, std::string_view name, std::vector<RegisterPart> reads) {
  to.emit(Lane::Main, name, {}, std::move(reads)).kind = Instruction::Kind::Control;
}

void selectCondBranch(Selection& to, const Operation& operation) {
  const auto sign = signTestOf(to, operation.operands[0]);
  const RegisterPart tested = sign ? to.use(*sign, Type::I32) : testedBy(to, operation.operands[0]);
  emitBranch(to, "brnz", {tested});
  if (!isNext(to, operation.blocks[0]) && !isNext(to, operation.blocks[1]))
    emitBranch(to, "br", {});
}

}  // namespace

void emitCall(Selection& to, std::string_view routine, const std::vector<Argument>& arguments,
              const std::optional<Result>& result) {
  Instruction call;
  call.name = routine;
  call.kind = Instruction::Kind::Call;
  ArgumentPlaces places;
  std::uint64_t on_stack = 0;
  for (const auto& [part, type] : arguments) {
    if (const auto place = places.next(type)) {
      call.fixed_reads.push_back({part, *place});
      continue;
    }
    to.emit(Lane::Main, "st", {}, {part}).memory = Selection::slotAccess(
        MemoryAccess::Kind::Store, static_cast<std::int64_t>(on_stack), bytesOf(type));
    on_stack += roundUp<std::uint64_t>(bytesOf(type), kWordBytes);
  }
  if (on_stack > 0) to.needStack(on_stack);
  if (result) {
    ArgumentPlaces results;
    for (const RegisterPart& part : result->parts) {
      const bool is_word = result->parts.size() == 2;
      const auto place = results.next(is_word ? Type::I32 : result->type);
      if (place) call.fixed_writes.push_back({part, *place});
    }
  }
  to.append(std::move(call));
  to.machine().calls = true;
}

void selectControl(Selection& to, const Operation& operation) {
  switch (operation.op) {
    case Op::Call:
      selectCall(to, operation);
      return;
    case Op::Return:
      selectReturn(to, operation);
      return;
    case Op::Branch:
      if (!isNext(to, operation.blocks[0])) emitBranch(to, "br", {});
      return;
    default:
      selectCondBranch(to, operation);
  }
}

}  // namespace ipusim::tile_compiler
