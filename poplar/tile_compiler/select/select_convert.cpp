// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "poplar/tile_compiler/machine_facts.h"
#include "poplar/tile_compiler/select/rules.h"

namespace ipusim::tile_compiler {
namespace {

/// Stores words of the main file and loads them into the aux file. There is no move that way.
void moveToAux(Selection& to, const std::vector<RegisterPart>& words, RegisterPart write) {
  to.needStack(kFrameAlignmentBytes);
  for (std::size_t word = 0; word < words.size(); ++word) {
    Instruction& store = to.emit(Lane::Main, "st32", {}, {words[word]});
    store.memory =
        Selection::slotAccess(MemoryAccess::Kind::Store, 4 * static_cast<std::int64_t>(word), 4);
  }
  Instruction& load = to.emit(Lane::Main, words.size() == 2 ? "ld64" : "ld32", {write}, {});
  load.memory =
      Selection::slotAccess(MemoryAccess::Kind::Load, 0, 4 * static_cast<unsigned>(words.size()));
}

std::vector<RegisterPart> wordsOfOperand(Selection& to, const Operand& operand, Type type) {
  std::vector<RegisterPart> words;
  for (unsigned word = 0; word < std::max(1U, wordsOf(type)); ++word) {
    words.push_back(to.useWord(operand, type, word));
  }
  return words;
}

/// The bitwise operation behind a cast to a float, when it can stay on the aux file: and, or, not,
/// on bits that came from there.
const Operation* logicBehind(const Selection& to, const Operation& cast) {
  const Operation* const logic = to.definition(cast.operands[0]);
  if (logic == nullptr || !isBitwiseLogic(*logic) || !to.uses().hasOneUse(*logic->result)) {
    return nullptr;
  }
  const auto comes_from_aux = [&](const Operand& operand) {
    const Operation* const maker = to.definition(operand);
    return maker != nullptr && maker->op == Op::BitCast &&
           isFloat(to.typeOf(maker->operands[0], Type::I32));
  };
  return std::any_of(logic->operands.begin(), logic->operands.end(), comes_from_aux) ? logic
                                                                                     : nullptr;
}

/// Bits for the aux file: logic that can stay there, words of the main file, or a copy.
void selectBitCastToAux(Selection& to, const Operation& operation) {
  const Operand& from = operation.operands[0];
  if (const Operation* const logic = logicBehind(to, operation)) {
    std::vector<RegisterPart> reads;
    for (const Operand& operand : logic->operands) {
      const Operand plain = to.uses().resolve(operand);
      const bool is_not = plain.isConstant() && logic->op == Op::Xor;
      if (!is_not) reads.push_back(useBitsOnAux(to, operand, operation.type));
    }
    to.emit(Lane::Aux, "logic", {to.result(operation)}, reads);
  } else if (from.isValue() && to.uses().laneOfValue(from.value) == Lane::Main) {
    moveToAux(to, wordsOfOperand(to, from, to.typeOf(from, operation.type)), to.result(operation));
  } else {
    to.emitCopy(to.result(operation), to.use(from, operation.type));
  }
}

void selectBitCast(Selection& to, const Operation& operation) {
  if (laneOf(operation.type) == Lane::Aux) {
    selectBitCastToAux(to, operation);
    return;
  }
  const Operand& from = operation.operands[0];
  const Type source = to.typeOf(from, operation.type);
  for (unsigned word = 0; word < wordsOf(operation.type); ++word) {
    const RegisterPart read = to.useWord(from, source, word);
    const RegisterPart write = to.resultWord(operation, word);
    if (laneOf(source) == Lane::Aux) {
      to.emit(Lane::Main, "mov", {write}, {read});
    } else {
      to.emitCopy(write, read);
    }
  }
}

/// Words of the main file to aux, then the conversion; a half needs one step more.
void selectIntToFloat(Selection& to, const Operation& operation) {
  const Operand& from = operation.operands[0];
  const Type source = to.typeOf(from, Type::I32);
  if (wordsOf(source) == 2 && !isVector(source)) {
    emitCall(to, "__floatdisf",
             {{to.useWord(from, source, 0), Type::I32}, {to.useWord(from, source, 1), Type::I32}},
             Result{{to.result(operation)}, operation.type});
    return;
  }
  const unsigned steps = isHalf(operation.type) ? 2 : 1;
  for (unsigned word = 0; word < std::max(1U, wordsOf(source)); ++word) {
    const RegisterPart bits = to.temporary(Lane::Aux);
    const Extension extension =
        operation.predicate == Predicate::ULt ? Extension::Zero : Extension::Sign;
    const RegisterPart read = wordsOf(source) == 2 ? to.useWord(from, source, word)
                                                   : useExtended(to, from, source, extension);
    moveToAux(to, {read}, bits);
    const RegisterPart write =
        isPair(operation.type) ? to.resultWord(operation, word) : to.result(operation);
    to.emitChain(Lane::Aux, steps, write, {bits});
  }
}

/// Round to a whole number, convert, move to the main file; a half is widened first.
void selectFloatToInt(Selection& to, const Operation& operation) {
  const Operand& from = operation.operands[0];
  const Type source = to.typeOf(from, Type::F32);
  if (wordsOf(operation.type) == 2 && !isVector(operation.type)) {
    emitCall(to, "__fixsfdi", {{to.use(from, source), source}},
             Result{{to.resultWord(operation, 0), to.resultWord(operation, 1)}, Type::I64});
    return;
  }
  for (unsigned word = 0; word < std::max(1U, wordsOf(operation.type)); ++word) {
    const RegisterPart read =
        isPair(source) ? to.useWord(from, source, word) : to.use(from, source);
    const RegisterPart bits = to.temporary(Lane::Aux);
    to.emitChain(Lane::Aux, isHalf(source) ? 3 : 2, bits, {read});
    to.emit(Lane::Main, "mov", {to.resultWord(operation, word)}, {bits});
  }
}

void selectFloatWidth(Selection& to, const Operation& operation) {
  const Operand& from = operation.operands[0];
  const Type source = to.typeOf(from, operation.op == Op::FPExt ? Type::F16 : Type::F32);
  if (operation.type == Type::F64 || source == Type::F64) {
    std::vector<Argument> arguments;
    for (const RegisterPart word : wordsOfOperand(to, from, source))
      arguments.emplace_back(word, source);
    Result result{{to.resultWord(operation, 0)}, operation.type};
    if (operation.type == Type::F64) result.parts.push_back(to.resultWord(operation, 1));
    for (Argument& argument : arguments) {
      if (argument.second == Type::F64) argument.second = Type::I32;
    }
    emitCall(to, "__double", arguments, result);
    return;
  }
  to.emit(Lane::Aux, "convert", {to.result(operation)}, {to.use(from, source)});
}

/// Vectors of two i16 are taken apart; the lower is shifted up and down again where it has a sign.
void selectPackedExtension(Selection& to, const Operation& operation) {
  const RegisterPart read = to.use(operation.operands[0], Type::V2I16);
  const bool is_signed = operation.op == Op::SExt;
  to.emitChain(Lane::Main, is_signed ? 2 : 1, to.resultWord(operation, 0), {read});
  to.emit(Lane::Main, "shr", {to.resultWord(operation, 1)}, {read});
}

void selectExtension(Selection& to, const Operation& operation) {
  const Operand& from = operation.operands[0];
  const Type source = to.typeOf(from, Type::I32);
  const bool is_signed = operation.op == Op::SExt;
  if (isVector(source)) {
    selectPackedExtension(to, operation);
    return;
  }
  const bool is_long = wordsOf(operation.type) == 2;
  const RegisterPart low = is_long ? to.resultWord(operation, 0) : to.result(operation);
  if (source == Type::I1) {
    if (!is_signed) {
      to.emitCopy(low, to.use(from, Type::I1));
    } else {
      to.emit(Lane::Main, "sub", {low}, {to.use(from, Type::I1)});
    }
  } else if (bytesOf(source) < kWordBytes) {
    to.emitCopy(low, useExtended(to, from, source, is_signed ? Extension::Sign : Extension::Zero));
  } else {
    to.emitCopy(low, to.use(from, source));
  }
  if (!is_long) return;
  const std::vector<RegisterPart> sign =
      is_signed ? std::vector<RegisterPart>{low} : std::vector<RegisterPart>{};
  to.emit(Lane::Main, is_signed ? "shrs" : "mov", {to.resultWord(operation, 1)}, sign);
}

void selectTrunc(Selection& to, const Operation& operation) {
  const Operand& from = operation.operands[0];
  const Type source = to.typeOf(from, Type::I32);
  if (isVector(source)) {
    to.emit(Lane::Main, "sort", {to.result(operation)}, {to.use(from, source)});
  } else if (operation.type == Type::I1) {
    to.emit(Lane::Main, "and", {to.result(operation)}, {to.useWord(from, source, 0)});
  } else {
    to.emitCopy(to.result(operation), to.useWord(from, source, 0));
  }
}

}  // namespace

bool isBitwiseLogic(const Operation& operation) {
  return operation.op == Op::And || operation.op == Op::Or ||
         (operation.op == Op::Xor && operation.operands[1].isConstant() &&
          static_cast<std::uint32_t>(operation.operands[1].bits) == ~0U);
}

RegisterPart useBitsOnAux(Selection& to, const Operand& operand, Type type) {
  const Operation* const maker = to.definition(operand);
  if (maker != nullptr && maker->op == Op::BitCast) {
    const Type inner = to.typeOf(maker->operands[0], type);
    if (isFloat(inner)) return to.use(maker->operands[0], inner);
  }
  const Operand plain = to.uses().resolve(operand);
  if (plain.isConstant()) return to.constant(plain.bits, type);
  const RegisterPart moved = to.temporary(Lane::Aux, wordsOf(type));
  moveToAux(to, wordsOfOperand(to, operand, to.typeOf(operand, Type::I32)), moved);
  return moved;
}

void selectFloatBits(Selection& to, const Operation& operation) {
  const Operand mask = operation.operands[1];
  const auto bits = static_cast<std::uint32_t>(mask.bits);
  const bool fits = mask.isConstant() && (bits <= kLow12Bits || (bits & kLow20Bits) == 0);
  std::vector<RegisterPart> reads = {to.use(operation.operands[0], operation.type)};
  if (!fits) reads.push_back(to.use(mask, operation.type));
  to.emit(Lane::Aux, "logic", {to.result(operation)}, reads);
}

void selectConversion(Selection& to, const Operation& operation) {
  switch (operation.op) {
    case Op::ZExt:
    case Op::SExt:
      selectExtension(to, operation);
      return;
    case Op::Trunc:
      selectTrunc(to, operation);
      return;
    case Op::FPExt:
    case Op::FPTrunc:
      selectFloatWidth(to, operation);
      return;
    case Op::IntToFloat:
      selectIntToFloat(to, operation);
      return;
    case Op::FloatToInt:
      selectFloatToInt(to, operation);
      return;
    default:
      selectBitCast(to, operation);
  }
}

}  // namespace ipusim::tile_compiler
