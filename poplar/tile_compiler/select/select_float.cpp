// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "poplar/tile_compiler/machine_facts.h"
#include "poplar/tile_compiler/select/rules.h"

namespace ipusim::tile_compiler {
namespace {

constexpr std::uint64_t kOneFloat = 0x3F800000;
constexpr std::uint64_t kHalfSigns = 0x8000800080008000;
constexpr std::uint64_t kFloatSigns = 0x8000000080000000;

/// Slots that an aux instruction holds its worker.
unsigned slotsOf(Op op, Type type) {
  const bool half = isHalf(type);
  switch (op) {
    case Op::FDiv:
      return kSlotsFloatDivide;
    case Op::Exp:
      return half ? kSlotsHalfPairExp : kSlotsFloatExp;
    case Op::Log:
      return half ? kSlotsHalfPairLog : kSlotsFloatLog;
    case Op::Exp2:
      return half ? kSlotsHalfPairExp : kSlotsFloatRoot;
    case Op::Log2:
      return half ? kSlotsHalfPairLog : kSlotsFloatRoot;
    case Op::Tanh:
      return half ? kSlotsHalfPairTanh : kSlotsFloatTanh;
    case Op::Sigmoid:
      return half ? kSlotsHalfPairSigmoid : kSlotsFloatSigmoid;
    case Op::Sqrt:
    case Op::RSqrt:
      return kSlotsFloatRoot;
    default:
      return 1;
  }
}

void emitAux(Selection& to, const Operation& operation, RegisterPart write,
             std::vector<RegisterPart> reads) {
  to.emit(Lane::Aux, "aux", {write}, std::move(reads)).slots =
      slotsOf(operation.op, operation.type);
}

/// An operand of a vector operation. The instruction itself broadcasts one scalar operand.
RegisterPart useMaybeBroadcast(Selection& to, const Operand& operand, Type type,
                               bool& may_broadcast) {
  const Operation* const maker = to.definition(operand);
  if (maker == nullptr || maker->op != Op::Splat) return to.use(operand, type);
  const Operand& scalar = maker->operands[0];
  const bool is_free = type == Type::V2F16 && isBroadcast(to, scalar);
  if (!is_free && !may_broadcast) return to.use(operand, type);
  if (!is_free) may_broadcast = false;
  return to.use(scalar, elementOf(type));
}

/// Both halves of a register hold the half: free where that is known, else one sort.
RegisterPart useBroadcastHalf(Selection& to, const Operand& operand) {
  const RegisterPart plain = to.use(operand, Type::F16);
  if (isBroadcast(to, operand)) return plain;
  const RegisterPart both = to.temporary(Lane::Aux);
  to.emit(Lane::Aux, "sort4x16lo", {both}, {plain});
  return both;
}

/// Halves are computed by the instructions for two: arithmetic broadcasts one operand itself.
void selectHalfArithmetic(Selection& to, const Operation& operation) {
  const bool is_extreme = operation.op == Op::FMin || operation.op == Op::FMax;
  Operand first = operation.operands[0];
  Operand second = operation.operands[1];
  if (isBroadcast(to, second)) std::swap(first, second);
  const RegisterPart a = useBroadcastHalf(to, first);
  const RegisterPart b = is_extreme ? useBroadcastHalf(to, second) : to.use(second, Type::F16);
  emitAux(to, operation, to.result(operation), {a, b});
}

void selectArithmetic(Selection& to, const Operation& operation) {
  if (operation.type == Type::F16) {
    selectHalfArithmetic(to, operation);
    return;
  }
  bool may_broadcast = operation.op != Op::FMin && operation.op != Op::FMax;
  std::vector<RegisterPart> reads;
  for (const Operand& operand : operation.operands) {
    reads.push_back(useMaybeBroadcast(to, operand, operation.type, may_broadcast));
  }
  emitAux(to, operation, to.result(operation), reads);
}

/// A float as 32 bits, computed by `op`, and back to half where the type is half.
void selectByFloat(Selection& to, const Operation& operation) {
  std::vector<RegisterPart> reads;
  for (const Operand& operand : operation.operands) {
    reads.push_back(useAsFloat(to, operand, operation.type));
  }
  if (operation.type != Type::F16) {
    emitAux(to, operation, to.result(operation), reads);
    return;
  }
  const RegisterPart wide = to.temporary(Lane::Aux);
  emitAux(to, operation, wide, reads);
  to.emit(Lane::Aux, "f32tof16", {to.result(operation)}, {wide});
}

/// Vectors without an instruction of their own: an element at a time.
void selectElements(Selection& to, const Operation& operation) {
  const unsigned elements = bytesOf(operation.type) / bytesOf(elementOf(operation.type));
  const unsigned an_element = isHalf(operation.type) ? 3 : 1;  // widen, operate, narrow
  for (unsigned n = 0; n < elements; ++n) {
    const unsigned word = n * bytesOf(elementOf(operation.type)) / kWordBytes;
    std::vector<RegisterPart> reads;
    for (const Operand& operand : operation.operands) {
      reads.push_back(to.useWord(operand, operation.type, word));
    }
    to.emitChain(Lane::Aux, an_element, to.resultWord(operation, word), reads);
    to.lastEmitted().slots = slotsOf(operation.op, elementOf(operation.type));
  }
}

/// exp, log, tanh and sigmoid have a form for two halves; a half alone is broadcast first.
void selectTranscendental(Selection& to, const Operation& operation) {
  if (operation.type == Type::F16) {
    emitAux(to, operation, to.result(operation), {useBroadcastHalf(to, operation.operands[0])});
  } else if (isPair(operation.type)) {
    for (unsigned word = 0; word < 2; ++word) {
      emitAux(to, operation, to.resultWord(operation, word),
              {to.useWord(operation.operands[0], operation.type, word)});
    }
  } else {
    emitAux(to, operation, to.result(operation), {to.use(operation.operands[0], operation.type)});
  }
}

/// The mask of the sign bits. A float's is in the instruction.
std::vector<RegisterPart> withSignMask(Selection& to, Type type, RegisterPart value) {
  if (type == Type::F32) return {value};
  return {value, to.constant(isHalf(type) ? kHalfSigns : kFloatSigns,
                             type == Type::F16 ? Type::V2F16 : type)};
}

void selectSign(Selection& to, const Operation& operation) {
  const Type type = operation.type;
  const RegisterPart magnitude = to.use(operation.operands[0], type);
  if (operation.op == Op::FAbs) {
    to.emit(Lane::Aux, "andc", {to.result(operation)}, withSignMask(to, type, magnitude));
    return;
  }
  RegisterPart sign = to.use(operation.operands[1], type);
  if (type == Type::F16) sign = useBroadcastHalf(to, operation.operands[1]);
  const unsigned words = wordsOf(type);
  const RegisterPart cleared = to.temporary(Lane::Aux, words);
  const RegisterPart kept = to.temporary(Lane::Aux, words);
  to.emit(Lane::Aux, "andc", {cleared}, withSignMask(to, type, magnitude));
  to.emit(Lane::Aux, "and", {kept}, withSignMask(to, type, sign));
  to.emit(Lane::Aux, "or", {to.result(operation)}, {cleared, kept});
}

/// 1 / sqrt(x) is one instruction when nothing else needs the root.
bool selectReciprocalRoot(Selection& to, const Operation& operation) {
  const Operation* const root = to.definition(operation.operands[1]);
  if (operation.type != Type::F32 || !operation.operands[0].isConstant(kOneFloat) ||
      root == nullptr || root->op != Op::Sqrt || !to.uses().hasOneUse(*root->result)) {
    return false;
  }
  to.emit(Lane::Aux, "f32oorx", {to.result(operation)}, {to.use(root->operands[0], Type::F32)})
      .slots = kSlotsFloatRoot;
  return true;
}

/// There is no fused form: a product, then a sum.
void selectMulAdd(Selection& to, const Operation& operation) {
  const RegisterPart product = to.temporary(Lane::Aux, wordsOf(operation.type));
  const Type type = operation.type;
  to.emit(Lane::Aux, "mul", {product},
          {to.use(operation.operands[0], type), to.use(operation.operands[1], type)});
  to.emit(Lane::Aux, "add", {to.result(operation)}, {product, to.use(operation.operands[2], type)});
}

/// Doubles are computed by the library.
void selectDouble(Selection& to, const Operation& operation) {
  std::vector<Argument> arguments;
  for (const Operand& operand : operation.operands) {
    arguments.emplace_back(to.useWord(operand, Type::F64, 0), Type::I32);
    arguments.emplace_back(to.useWord(operand, Type::F64, 1), Type::I32);
  }
  emitCall(to, "__double", arguments,
           Result{{to.resultWord(operation, 0), to.resultWord(operation, 1)}, Type::F64});
}

bool isArithmetic(Op op) {
  return op == Op::FAdd || op == Op::FSub || op == Op::FMul || op == Op::FMin || op == Op::FMax;
}

bool isTranscendental(Op op) {
  return op >= Op::Exp && op <= Op::Sigmoid;
}

}  // namespace

RegisterPart useAsFloat(Selection& to, const Operand& operand, Type type) {
  if (type != Type::F16) return to.use(operand, type);
  const RegisterPart wide = to.temporary(Lane::Aux);
  to.emit(Lane::Aux, "f16tof32", {wide}, {to.use(operand, type)});
  return wide;
}

bool isBroadcast(const Selection& to, const Operand& operand) {
  if (!operand.isValue()) return false;
  const Operation* const maker = to.definition(operand);
  return maker != nullptr && (maker->op == Op::FPTrunc || maker->op == Op::Load ||
                              maker->op == Op::IntToFloat || isArithmetic(maker->op));
}

void selectFloat(Selection& to, const Operation& operation) {
  const Op op = operation.op;
  if (operation.type == Type::F64) {
    selectDouble(to, operation);
  } else if (isArithmetic(op)) {
    selectArithmetic(to, operation);
  } else if (op == Op::FNeg) {
    to.emit(Lane::Aux, "sub", {to.result(operation)},
            {to.use(operation.operands[0], operation.type)});
  } else if (op == Op::FAbs || op == Op::CopySign) {
    selectSign(to, operation);
  } else if (op == Op::MulAdd) {
    selectMulAdd(to, operation);
  } else if (op == Op::FDiv && selectReciprocalRoot(to, operation)) {
    return;
  } else if (isTranscendental(op) && (isHalf(operation.type) || operation.type == Type::F32)) {
    selectTranscendental(to, operation);
  } else if (isVector(operation.type)) {
    selectElements(to, operation);
  } else {
    selectByFloat(to, operation);
  }
}

}  // namespace ipusim::tile_compiler
