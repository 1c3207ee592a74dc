// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "poplar/tile_compiler/machine_facts.h"
#include "poplar/tile_compiler/select/rules.h"

namespace ipusim::tile_compiler {
namespace {

constexpr unsigned kLongCompareMain = 4;  // assumed: two differences, or, compare

bool isEquality(Predicate predicate) {
  return predicate == Predicate::Eq || predicate == Predicate::Ne;
}

bool isUnsigned(Predicate predicate) {
  return predicate >= Predicate::ULt && predicate <= Predicate::UGe;
}

/// A comparison as its one instruction has it, and whether its answer is upside down.
struct Comparison {
  Predicate predicate;
  Operand first;
  Operand second;
  bool inverted = false;
  bool immediate = false;  ///< the second operand is in the instruction
};

Predicate mirrored(Predicate predicate) {
  switch (predicate) {
    case Predicate::SLt:
      return Predicate::SGt;
    case Predicate::SLe:
      return Predicate::SGe;
    case Predicate::SGt:
      return Predicate::SLt;
    case Predicate::SGe:
      return Predicate::SLe;
    case Predicate::ULt:
      return Predicate::UGt;
    case Predicate::ULe:
      return Predicate::UGe;
    case Predicate::UGt:
      return Predicate::ULt;
    case Predicate::UGe:
      return Predicate::ULe;
    default:
      return predicate;
  }
}

/// `x <= c` is `x < c + 1`, and `x > c` is not that. Nothing where c + 1 leaves the range.
std::optional<Comparison> withImmediate(Comparison compare) {
  auto value = static_cast<std::int64_t>(static_cast<std::int32_t>(compare.second.bits));
  if (isUnsigned(compare.predicate)) value = static_cast<std::uint32_t>(compare.second.bits);
  switch (compare.predicate) {
    case Predicate::SLe:
    case Predicate::ULe:
      ++value;
      break;
    case Predicate::SGt:
    case Predicate::UGt:
      ++value;
      compare.inverted = true;
      break;
    case Predicate::Ne:
      if (value == 0) return std::nullopt;
      [[fallthrough]];
    case Predicate::SGe:
    case Predicate::UGe:
      compare.inverted = true;
      break;
    default:
      break;
  }
  const bool fits_signed = value >= kSigned16Low && value <= kSigned16High;
  const bool fits_unsigned = value >= 0 && value <= kUnsigned16High;
  const bool fits = isEquality(compare.predicate)   ? fits_signed || fits_unsigned
                    : isUnsigned(compare.predicate) ? fits_unsigned
                                                    : fits_signed;
  if (!fits) return std::nullopt;
  compare.immediate = true;
  return compare;
}

Comparison comparisonOf(const Selection& to, const Operation& operation) {
  Comparison compare{operation.predicate, to.uses().resolve(operation.operands[0]),
                     to.uses().resolve(operation.operands[1])};
  if (compare.first.isConstant()) {
    std::swap(compare.first, compare.second);
    compare.predicate = mirrored(compare.predicate);
  }
  if (compare.second.isConstant()) {
    if (const auto better = withImmediate(compare)) return *better;
  }
  const Predicate p = compare.predicate;
  compare.inverted =
      p == Predicate::SLe || p == Predicate::SGe || p == Predicate::ULe || p == Predicate::UGe;
  return compare;
}

/// A comparison with zero that a branch or a conditional move makes itself.
bool isZeroTest(const Selection& to, const Operation& operation) {
  return isEquality(operation.predicate) &&
         wordsOf(to.typeOf(operation.operands[0], Type::I32)) == 1 &&
         to.uses().resolve(operation.operands[1]).isConstant(0);
}

/// `x < 0` and `x >= 0`, which only branches decide.
bool isSignTest(const Selection& to, const Operation& operation) {
  const Operand second = to.uses().resolve(operation.operands[1]);
  const bool below = operation.predicate == Predicate::SLt || operation.predicate == Predicate::SGe;
  return below && second.isConstant(0);
}

bool isFoldable(const Selection& to, const Operation* maker) {
  return maker != nullptr && maker->op == Op::ICmp && to.uses().isOnlyACondition(*maker->result);
}

}  // namespace

RegisterPart useExtended(Selection& to, const Operand& operand, Type type, Extension extension) {
  const Operand source = to.uses().resolve(operand);
  const Type own = to.typeOf(source, type);
  if (!source.isValue() || (own != Type::I8 && own != Type::I16)) return to.use(source, type);
  const Operation* const maker = to.definition(source);
  const bool is_loaded = maker != nullptr && maker->op == Op::Load;
  if (is_loaded || to.function().values[source.value].extension == extension) {
    return to.use(source, type);
  }
  const RegisterPart extended = to.temporary(Lane::Main);
  const unsigned count = extension == Extension::Sign ? 2 : 1;
  to.emitChain(Lane::Main, count, extended, {to.use(source, type)});
  return extended;
}

Decision decide(const Selection& to, const Operand& condition) {
  const Operation* const maker = to.definition(condition);
  if (!isFoldable(to, maker)) return {};
  if (isZeroTest(to, *maker)) return {maker->predicate == Predicate::Eq, maker->operands[0]};
  return {comparisonOf(to, *maker).inverted, std::nullopt};
}

RegisterPart testedBy(Selection& to, const Operand& condition) {
  const Decision decision = decide(to, condition);
  if (decision.operand) {
    const Type type = to.typeOf(*decision.operand, Type::I32);
    return useExtended(to, *decision.operand, type, Extension::Zero);
  }
  return to.use(condition, Type::I1);
}

std::optional<Operand> signTestOf(const Selection& to, const Operand& condition) {
  const Operation* const maker = to.definition(condition);
  if (!isFoldable(to, maker) || !isSignTest(to, *maker)) return std::nullopt;
  if (!to.uses().hasOneUse(*maker->result)) return std::nullopt;
  return maker->operands[0];
}

void selectIntegerCompare(Selection& to, const Operation& operation) {
  const Type type = to.typeOf(operation.operands[0], to.typeOf(operation.operands[1], Type::I32));
  if (wordsOf(type) == 2) {
    std::vector<RegisterPart> reads;
    for (const Operand& operand : operation.operands) {
      reads.push_back(to.useWord(operand, type, 0));
      reads.push_back(to.useWord(operand, type, 1));
    }
    to.emitChain(Lane::Main, kLongCompareMain, to.result(operation), reads);
    return;
  }
  const Comparison compare = comparisonOf(to, operation);
  const Extension extension = isUnsigned(operation.predicate) || isEquality(operation.predicate)
                                  ? Extension::Zero
                                  : Extension::Sign;
  std::vector<RegisterPart> reads = {useExtended(to, compare.first, type, extension)};
  if (!compare.immediate) reads.push_back(useExtended(to, compare.second, type, extension));
  const bool mends = compare.inverted && !to.uses().isOnlyACondition(*operation.result);
  to.emitChain(Lane::Main, mends ? 2 : 1, to.result(operation), reads);
}

void selectSelect(Selection& to, const Operation& operation) {
  const Operand& condition = operation.operands[0];
  if (isFloat(operation.type)) {
    RegisterPart tested = testedBy(to, condition);
    const bool is_raw = to.definition(condition) == nullptr;
    if (operation.type == Type::F16 && is_raw) {
      constexpr unsigned kFlagMain = 2;  // [T] f16-select.ll
      const RegisterPart flag = to.temporary(Lane::Main);
      to.emitChain(Lane::Main, kFlagMain, flag, {tested});
      tested = flag;
    }
    const bool inverted = decide(to, condition).inverted;
    const unsigned first = inverted ? 2 : 1;
    to.emitCopy(to.result(operation), to.use(operation.operands[first], operation.type));
    to.emitDiamond(operation, tested, to.result(operation),
                   to.use(operation.operands[3 - first], operation.type),
                   inverted ? Role::IfTrue : Role::IfFalse);
    return;
  }
  const RegisterPart tested = testedBy(to, condition);
  for (unsigned word = 0; word < std::max(1U, wordsOf(operation.type)); ++word) {
    RegisterPart kept = to.useWord(operation.operands[2], operation.type, word);
    RegisterPart moved = to.useWord(operation.operands[1], operation.type, word);
    const bool first_ends =
        operation.operands[1].isValue() && to.uses().hasOneUse(operation.operands[1].value);
    if (kept.id == kZero || (first_ends && moved.id != kZero)) std::swap(kept, moved);
    to.emit(Lane::Main, "movnz", {to.resultWord(operation, word)}, {kept, tested, moved}).tied =
        true;
  }
}

}  // namespace ipusim::tile_compiler
