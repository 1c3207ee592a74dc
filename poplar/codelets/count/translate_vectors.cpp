// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "poplar/codelets/count/pieces.h"
#include "poplar/codelets/count/translator.h"

namespace ipusim::codelets {
namespace {

using tile_compiler::elementOf;
using tile_compiler::isVector;
using tile_compiler::Type;

/// Where an element of a vector lies.
struct ElementPlace {
  std::size_t piece = 0;
  unsigned element = 0;  ///< in the piece
};

ElementPlace placeOf(const std::vector<Type>& pieces, unsigned element) {
  ElementPlace place{0, element};
  while (place.piece + 1 < pieces.size() && place.element >= elementsIn(pieces[place.piece])) {
    place.element -= elementsIn(pieces[place.piece]);
    ++place.piece;
  }
  return place;
}

std::optional<unsigned> constantOf(const llvm::Value* index) {
  const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(index);
  if (number == nullptr) return std::nullopt;
  return static_cast<unsigned>(number->getZExtValue());
}

unsigned elementsOf(const llvm::Value& vector) {
  return llvm::cast<llvm::FixedVectorType>(vector.getType())->getNumElements();
}

}  // namespace

tile_compiler::Operand Translator::elementOperand(const llvm::Value& vector, unsigned element) {
  const std::vector<Type> types = typesOf(vector);
  const ElementPlace place = placeOf(types, element);
  const Operand piece = operandsOf(vector)[place.piece];
  if (!isVector(types[place.piece])) return piece;
  if (piece.isConstant()) {
    const unsigned bits = 8 * tile_compiler::bytesOf(elementOf(types[place.piece]));
    return Operand::constant((piece.bits >> (place.element * bits)) & ((1ULL << bits) - 1));
  }
  return make(Op::Element, elementOf(types[place.piece]), {piece}, place.element);
}

void Translator::translateExtract(llvm::ExtractElementInst& extract) {
  const llvm::Value& vector = *extract.getVectorOperand();
  if (const auto element = constantOf(extract.getIndexOperand())) {
    rename(extract, 0, elementOperand(vector, *element));
    return;
  }
  define(Op::Element, extract, 0,
         {operandsOf(vector)[0], operandsOf(*extract.getIndexOperand())[0]});
}

void Translator::buildPieces(const llvm::Value& result, const std::vector<Operand>& elements) {
  const std::vector<Type> types = typesOf(result);
  std::size_t next = 0;
  for (std::size_t piece = 0; piece < types.size(); ++piece) {
    const auto begin = elements.begin() + static_cast<std::ptrdiff_t>(next);
    const auto count = static_cast<std::ptrdiff_t>(elementsIn(types[piece]));
    const std::vector<Operand> part(begin, begin + count);
    next += static_cast<std::size_t>(count);
    const bool is_splat = std::all_of(part.begin(), part.end(), [&](const Operand& operand) {
      return operand.kind == part[0].kind && operand.value == part[0].value &&
             operand.bits == part[0].bits;
    });
    if (!isVector(types[piece])) {
      rename(result, piece, part[0]);
    } else if (is_splat) {
      define(Op::Splat, result, piece, {part[0]});
    } else {
      define(Op::Build, result, piece, part);
    }
  }
}

/// A chain of insertions that fills a vector from nothing is one step.
bool Translator::buildWhole(llvm::InsertElementInst& insert) {
  std::vector<llvm::Value*> found(elementsOf(insert), nullptr);
  llvm::Value* at = &insert;
  while (auto* const link = llvm::dyn_cast<llvm::InsertElementInst>(at)) {
    const auto element = constantOf(link->getOperand(2));
    if (!element) return false;
    if (found[*element] == nullptr) found[*element] = link->getOperand(1);
    at = link->getOperand(0);
  }
  if (!llvm::isa<llvm::UndefValue>(at)) return false;
  const auto given = std::find_if(found.begin(), found.end(),
                                  [](const llvm::Value* value) { return value != nullptr; });
  std::vector<Operand> elements;
  elements.reserve(found.size());
  for (llvm::Value* const value : found) {
    elements.push_back(operandsOf(value == nullptr ? **given : *value)[0]);
  }
  buildPieces(insert, elements);
  return true;
}

void Translator::translateInsert(llvm::InsertElementInst& insert) {
  if (buildWhole(insert)) return;
  const std::vector<Type> types = typesOf(insert);
  const std::vector<Operand> old = operandsOf(*insert.getOperand(0));
  const Operand element = operandsOf(*insert.getOperand(1))[0];
  const auto index = constantOf(insert.getOperand(2));
  const ElementPlace place = placeOf(types, index.value_or(0));
  for (std::size_t piece = 0; piece < types.size(); ++piece) {
    if (piece != place.piece) {
      rename(insert, piece, old[piece]);
    } else if (!isVector(types[piece])) {
      rename(insert, piece, element);
    } else {
      define(Op::Insert, insert, piece, {old[piece], element}).immediate = place.element;
    }
  }
}

void Translator::translateShuffle(llvm::ShuffleVectorInst& shuffle) {
  const llvm::Value& first = *shuffle.getOperand(0);
  const llvm::Value& second = *shuffle.getOperand(1);
  const auto width = static_cast<int>(elementsOf(first));
  std::vector<Operand> elements;
  std::map<int, std::size_t> taken;  // an element that is named twice is taken out once
  for (const int source : shuffle.getShuffleMask()) {
    const int chosen = std::max(source, 0);
    const auto [known, is_new] = taken.try_emplace(chosen, elements.size());
    if (!is_new) {
      elements.push_back(elements[known->second]);
      continue;
    }
    const auto* const splat = llvm::dyn_cast<llvm::InsertElementInst>(&first);
    if (chosen == 0 && splat != nullptr && constantOf(splat->getOperand(2)) == 0U) {
      elements.push_back(operandsOf(*splat->getOperand(1))[0]);
    } else {
      elements.push_back(chosen < width
                             ? elementOperand(first, static_cast<unsigned>(chosen))
                             : elementOperand(second, static_cast<unsigned>(chosen - width)));
    }
  }
  buildPieces(shuffle, elements);
}

}  // namespace ipusim::codelets
