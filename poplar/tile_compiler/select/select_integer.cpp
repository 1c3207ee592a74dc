// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "poplar/tile_compiler/machine_facts.h"
#include "poplar/tile_compiler/select/rules.h"

namespace ipusim::tile_compiler {
namespace {

std::int32_t signedWord(const Operand& constant) {
  return static_cast<std::int32_t>(constant.bits);
}

bool isWithin(std::int64_t value, std::int64_t low, std::int64_t high) {
  return value >= low && value <= high;
}

/// True when the instruction takes the constant as its second operand. Source: [B], [T]
/// i32-arithmetic.ll.
bool fitsImmediate(Op op, const Operand& operand) {
  if (!operand.isConstant()) return false;
  const auto bits = static_cast<std::uint32_t>(operand.bits);
  switch (op) {
    case Op::Add:
    case Op::Sub:
    case Op::SMin:
    case Op::SMax:
      return isWithin(signedWord(operand), kAddImmediateLow, kAddImmediateHigh);
    case Op::Mul:
      return isWithin(signedWord(operand), kSigned16Low, kSigned16High);
    case Op::And:
      return bits <= kLow12Bits || ~bits <= kLow12Bits;
    case Op::Or:
      return bits <= kLow12Bits || (bits & kLow20Bits) == 0;
    case Op::Xor:
      return bits == ~0U;
    case Op::Shl:
    case Op::LShr:
    case Op::AShr:
      return true;
    default:
      return false;
  }
}

bool isCommutative(Op op) {
  return op == Op::Add || op == Op::Mul || op == Op::And || op == Op::Or || op == Op::Xor ||
         op == Op::SMin || op == Op::SMax;
}

/// The operands that need a register, for one instruction on words.
std::vector<RegisterPart> wordOperands(Selection& to, const Operation& operation, unsigned word) {
  Operand first = to.uses().resolve(operation.operands[0]);
  Operand second = to.uses().resolve(operation.operands[1]);
  if (isCommutative(operation.op) && first.isConstant()) std::swap(first, second);
  const auto word_of = [&](const Operand& operand) {
    Operand part = operand;
    if (part.isConstant()) part.bits = static_cast<std::uint32_t>(part.bits >> (32 * word));
    return part;
  };
  std::vector<RegisterPart> reads;
  const bool reversed = operation.op == Op::Sub && fitsImmediate(Op::Sub, word_of(first));
  if (!reversed) reads.push_back(to.useWord(first, operation.type, word));
  if (!fitsImmediate(operation.op, word_of(second))) {
    reads.push_back(to.useWord(second, operation.type, word));
  }
  return reads;
}

/// One instruction a word: the plain operations of up to 32 bits, and of pairs of i32. A product or
/// a shift of two i16 in a word is unpacked first, but not bitwise logic.
void selectWords(Selection& to, const Operation& operation) {
  const bool is_bitwise =
      operation.op == Op::And || operation.op == Op::Or || operation.op == Op::Xor;
  const bool is_packed = isVector(operation.type) && elementOf(operation.type) != Type::I32;
  const bool is_extreme = operation.op == Op::SMin || operation.op == Op::SMax;
  for (unsigned word = 0; word < wordsOf(operation.type); ++word) {
    const std::vector<RegisterPart> reads = wordOperands(to, operation, word);
    const RegisterPart write = to.resultWord(operation, word);
    if (is_packed && !is_bitwise) {
      to.emitChain(Lane::Main, is_extreme ? kPackedMinMaxMain : kPackedArithmeticMain, write,
                   reads);
    } else {
      to.emit(Lane::Main, "alu", {write}, reads);
    }
  }
}

/// The operand of 32 bits behind an extension to 64, if it is one.
std::optional<Operand> narrowed(const Selection& to, const Operand& operand) {
  const Operation* const maker = to.definition(operand);
  if (maker == nullptr || (maker->op != Op::ZExt && maker->op != Op::SExt)) return std::nullopt;
  return maker->operands[0];
}

/// Two words to one of 64 bits: the upper half in sequence, the lower by one instruction.
void selectMulWide(Selection& to, const Operation& operation, const Operand& first,
                   const Operand& second) {
  const RegisterPart a = to.use(first, Type::I32);
  const RegisterPart b = to.use(second, Type::I32);
  const RegisterPart high = to.temporary(Lane::Main);
  to.emitChain(Lane::Main, kMulHighMain, high, {a, b});
  to.emit(Lane::Main, "mul", {to.resultWord(operation, 0)}, {a, b});
  to.emitCopy(to.resultWord(operation, 1), high);
}

unsigned longCost(Op op) {
  switch (op) {
    case Op::Add:
    case Op::Sub:
      return kLongAddMain;
    case Op::Mul:
      return kLongMulMain;
    default:
      return kLongShiftMain;
  }
}

/// 64 bits: bitwise logic is a word at a time; the rest is a sequence.
void selectLong(Selection& to, const Operation& operation) {
  if (operation.op == Op::And || operation.op == Op::Or || operation.op == Op::Xor) {
    selectWords(to, operation);
    return;
  }
  if (operation.op == Op::Mul) {
    const auto first = narrowed(to, operation.operands[0]);
    const auto second = narrowed(to, operation.operands[1]);
    if (first && second) {
      selectMulWide(to, operation, *first, *second);
      return;
    }
  }
  std::vector<RegisterPart> reads;
  for (const Operand& operand : operation.operands) {
    reads.push_back(to.useWord(operand, operation.type, 0));
    reads.push_back(to.useWord(operand, operation.type, 1));
  }
  const RegisterPart low = to.resultWord(operation, 0);
  to.emitChain(Lane::Main, longCost(operation.op) - 1, low, reads);
  to.emit(Lane::Main, "alu", {to.resultWord(operation, 1)}, {low});
}

const char* divisionRoutine(Op op) {
  switch (op) {
    case Op::UDiv:
      return "__udivsi3";
    case Op::SDiv:
      return "__divsi3";
    case Op::URem:
      return "__umodsi3";
    default:
      return "__modsi3";
  }
}

bool isPowerOfTwo(const Operand& operand) {
  const auto bits = static_cast<std::uint32_t>(operand.bits);
  return operand.isConstant() && bits != 0 && (bits & (bits - 1)) == 0;
}

/// A division by a constant goes through the upper half of a product: 16 and two to four more.
void selectDivision(Selection& to, const Operation& operation) {
  const Operand divisor = to.uses().resolve(operation.operands[1]);
  const bool is_signed = operation.op == Op::SDiv || operation.op == Op::SRem;
  const bool is_remainder = operation.op == Op::URem || operation.op == Op::SRem;
  if (divisor.isConstant()) {
    constexpr unsigned kAfterMulHigh = 2;      // assumed: shifts and a correction
    constexpr unsigned kSignedPowerOfTwo = 4;  // assumed: bias by the sign, then shift
    const unsigned back = is_remainder ? 2 : 0;
    const unsigned power = is_signed ? kSignedPowerOfTwo + back : 1;
    const unsigned other = kMulHighMain + kAfterMulHigh + (is_signed ? 1 : 0) + back;
    to.emitChain(Lane::Main, isPowerOfTwo(divisor) ? power : other, to.result(operation),
                 {to.use(operation.operands[0], operation.type)});
    return;
  }
  emitCall(to, divisionRoutine(operation.op),
           {{to.use(operation.operands[0], Type::I32), Type::I32},
            {to.use(operation.operands[1], Type::I32), Type::I32}},
           Result{{to.result(operation)}, Type::I32});
}

/// Operations that are a fixed number of instructions in sequence.
unsigned sequenceLength(Op op) {
  switch (op) {
    case Op::UMin:
    case Op::UMax:
      return 2;  // compare, conditional move
    case Op::Abs:
      return kAbsMain;
    case Op::Rotate:
      return kRotateMain;
    case Op::CountTrailingZeros:
      return kTrailingZerosMain;
    case Op::ByteSwap:
      return kByteSwapMain;
    case Op::BitReverse:
      return kBitReverseMain;
    case Op::MulHigh:
      return kMulHighMain;
    default:
      return 1;  // clz, popc
  }
}

void selectSequence(Selection& to, const Operation& operation) {
  std::vector<RegisterPart> reads;
  for (const Operand& operand : operation.operands)
    reads.push_back(to.use(operand, operation.type));
  for (unsigned word = 0; word < std::max(1U, wordsOf(operation.type)); ++word) {
    to.emitChain(Lane::Main, sequenceLength(operation.op), to.resultWord(operation, word), reads);
  }
}

}  // namespace

void selectInteger(Selection& to, const Operation& operation) {
  switch (operation.op) {
    case Op::UDiv:
    case Op::SDiv:
    case Op::URem:
    case Op::SRem:
      selectDivision(to, operation);
      return;
    case Op::MulWide:
      selectMulWide(to, operation, operation.operands[0], operation.operands[1]);
      return;
    default:
      break;
  }
  const bool is_plain =
      operation.op <= Op::AShr || operation.op == Op::SMin || operation.op == Op::SMax;
  if (!is_plain) {
    selectSequence(to, operation);
  } else if (operation.type == Type::I64) {
    selectLong(to, operation);
  } else {
    selectWords(to, operation);
  }
}

}  // namespace ipusim::tile_compiler
