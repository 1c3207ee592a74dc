// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "poplar/tile_compiler/select/rules.h"

namespace ipusim::tile_compiler {
namespace {

/// Aux instructions of a comparison of two floats. Source: [T] f32-comparisons.ll.
struct Shape {
  unsigned compares;  ///< independent of each other
  unsigned joins;     ///< after them, in sequence
};

Shape shapeOf(Predicate predicate) {
  switch (predicate) {
    case Predicate::FUGt:
    case Predicate::FUGe:
    case Predicate::FULt:
    case Predicate::FULe:
      return {1, 1};  // the opposite, then not
    case Predicate::ONe:
    case Predicate::Ord:
    case Predicate::Uno:
      return {2, 1};
    case Predicate::UEq:
      return {2, 2};
    default:
      return {1, 0};
  }
}

}  // namespace

void selectFloatCompare(Selection& to, const Operation& operation) {
  const Type type = to.typeOf(operation.operands[0], to.typeOf(operation.operands[1], Type::F32));
  if (operation.predicate == Predicate::False || operation.predicate == Predicate::True) {
    const RegisterPart answer =
        to.constantWord(operation.predicate == Predicate::True ? 1 : 0, Lane::Main);
    to.emitCopy(to.result(operation), answer);
    return;
  }
  if (type == Type::F64) {
    std::vector<Argument> arguments;
    for (const Operand& operand : operation.operands) {
      arguments.emplace_back(to.useWord(operand, type, 0), Type::I32);
      arguments.emplace_back(to.useWord(operand, type, 1), Type::I32);
    }
    emitCall(to, "__double", arguments, Result{{to.result(operation)}, Type::I1});
    return;
  }
  const RegisterPart a = useAsFloat(to, operation.operands[0], type);
  const RegisterPart b = useAsFloat(to, operation.operands[1], type);
  const Shape shape = shapeOf(operation.predicate);
  const unsigned words = wordsOf(operation.type) == 2 ? 2 : 1;
  std::vector<RegisterPart> masks;
  for (unsigned n = 0; n < shape.compares; ++n) {
    masks.push_back(to.temporary(Lane::Aux, words));
    to.emit(Lane::Aux, "cmp", {masks.back()}, {a, b});
  }
  for (unsigned n = 0; n < shape.joins; ++n) {
    const RegisterPart joined = to.temporary(Lane::Aux, words);
    to.emit(Lane::Aux, "or", {joined}, masks);
    masks = {joined};
  }
  for (unsigned word = 0; word < words; ++word) {
    const RegisterPart mask =
        words == 2 ? RegisterPart{masks[0].id, static_cast<std::uint8_t>(word)} : masks[0];
    to.emit(Lane::Main, "atom", {to.resultWord(operation, word)}, {mask});
  }
}

}  // namespace ipusim::tile_compiler
