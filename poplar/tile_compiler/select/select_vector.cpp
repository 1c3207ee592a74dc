// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ipusim/units.h"
#include "poplar/tile_compiler/machine_facts.h"
#include "poplar/tile_compiler/select/rules.h"

namespace ipusim::tile_compiler {
namespace {

/// The word that holds an element, and whether the element is its upper half.
struct ElementPlace {
  unsigned word;
  bool is_upper;
};

ElementPlace placeOf(Type vector, std::int64_t element) {
  const unsigned bits = 8 * bytesOf(elementOf(vector));
  const auto bit = static_cast<unsigned>(element) * bits;
  return {bit / 32, bit % 32 != 0};
}

void selectElement(Selection& to, const Operation& operation) {
  const Operand& from = operation.operands[0];
  const Type vector = to.typeOf(from, Type::V2F32);
  if (operation.operands.size() > 1) {  // a variable place
    to.needStack(kFrameAlignmentBytes);
    to.emitChain(Lane::Main, kVariableElementMain, to.result(operation),
                 {to.use(from, vector), to.use(operation.operands[1], Type::I32)});
    return;
  }
  const ElementPlace place = placeOf(vector, operation.immediate);
  const RegisterPart word = to.useWord(from, vector, place.word);
  if (place.is_upper) {
    to.emit(laneOf(vector), "swap16", {to.result(operation)}, {word});
  } else {
    to.emitCopy(to.result(operation), word);
  }
}

/// Copies the words of a vector but the one with the element, which is moved or sorted in.
void selectInsert(Selection& to, const Operation& operation) {
  const Type type = operation.type;
  const ElementPlace place = placeOf(type, operation.immediate);
  const RegisterPart element = to.use(operation.operands[1], elementOf(type));
  for (unsigned word = 0; word < wordsOf(type); ++word) {
    const RegisterPart write = to.resultWord(operation, word);
    const RegisterPart old = to.useWord(operation.operands[0], type, word);
    if (word != place.word) {
      to.emitCopy(write, old);
    } else if (bytesOf(elementOf(type)) == kWordBytes) {
      to.emitCopy(write, element);
    } else {
      to.emit(laneOf(type), "sort4x16", {write}, {old, element});
    }
  }
}

/// Every word from its elements: one move of a word, or one sort of two halves.
void selectBuild(Selection& to, const Operation& operation) {
  const Type type = operation.type;
  const Type element = elementOf(type);
  const unsigned in_a_word = kWordBytes / bytesOf(element);
  for (unsigned word = 0; word < wordsOf(type); ++word) {
    const RegisterPart write = to.resultWord(operation, word);
    const bool is_splat = operation.op == Op::Splat;
    const std::size_t first = is_splat ? 0 : static_cast<std::size_t>(word) * in_a_word;
    std::vector<RegisterPart> reads = {to.use(operation.operands[first], element)};
    if (in_a_word == 1) {
      to.emitCopy(write, reads[0]);
      continue;
    }
    if (!is_splat) reads.push_back(to.use(operation.operands[first + 1], element));
    if (is_splat && isBroadcast(to, operation.operands[0])) {
      to.emitCopy(write, reads[0]);
    } else {
      to.emit(laneOf(type), "sort4x16", {write}, reads);
    }
  }
}

/// One sort a word; one more for each word beyond two that it is gathered from, as a sort has two
/// operands.
void selectShuffle(Selection& to, const Operation& operation) {
  std::vector<RegisterPart> reads;
  unsigned from = 0;
  for (const Operand& operand : operation.operands) {
    reads.push_back(to.use(operand, operation.type));
    from += wordsOf(to.typeOf(operand, operation.type));
  }
  const unsigned words = wordsOf(operation.type);
  const unsigned sorts = std::max(2U, ceilDiv(from, words)) - 1;
  for (unsigned word = 0; word < words; ++word) {
    to.emitChain(laneOf(operation.type), sorts, to.resultWord(operation, word), reads);
  }
}

}  // namespace

void selectVector(Selection& to, const Operation& operation) {
  switch (operation.op) {
    case Op::Element:
      selectElement(to, operation);
      return;
    case Op::Insert:
      selectInsert(to, operation);
      return;
    case Op::Shuffle:
      selectShuffle(to, operation);
      return;
    default:
      selectBuild(to, operation);
  }
}

}  // namespace ipusim::tile_compiler
