// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/count/pieces.h"

#include <llvm/IR/DerivedTypes.h>

#include <algorithm>

namespace ipusim::codelets {
namespace {

using tile_compiler::bytesOf;
using tile_compiler::elementOf;
using tile_compiler::Type;

constexpr unsigned kLongBits = 64;

Type integerOf(unsigned bits) {
  if (bits == 1) return Type::I1;
  if (bits <= 8) return Type::I8;
  if (bits <= 16) return Type::I16;
  return bits <= 32 ? Type::I32 : Type::I64;
}

/// The registers for vectors of an element, the widest first, the element itself last.
std::vector<Type> registersFor(Type element) {
  switch (element) {
    case Type::F16:
      return {Type::V4F16, Type::V2F16, Type::F16};
    case Type::F32:
      return {Type::V2F32, Type::F32};
    case Type::I8:
      return {Type::V4I8, Type::I8};
    case Type::I16:
      return {Type::V4I16, Type::V2I16, Type::I16};
    case Type::I1:  // a mask
    case Type::I32:
    case Type::Pointer:
      return {Type::V2I32, Type::I32};
    default:
      return {element};
  }
}

void addVector(std::vector<Type>& pieces, llvm::FixedVectorType* type) {
  const std::vector<Type> element = piecesOf(type->getElementType());
  unsigned left = type->getNumElements();
  for (const Type piece : registersFor(element[0])) {
    for (; left >= elementsIn(piece); left -= elementsIn(piece)) pieces.push_back(piece);
  }
}

}  // namespace

unsigned elementsIn(Type piece) {
  return bytesOf(piece) / std::max(1U, bytesOf(elementOf(piece)));
}

std::vector<Type> piecesOf(llvm::Type* type) {
  std::vector<Type> pieces;
  if (type->isFloatTy()) return {Type::F32};
  if (type->isHalfTy()) return {Type::F16};
  if (type->isFloatingPointTy()) return {Type::F64};
  if (type->isPointerTy()) return {Type::Pointer};
  if (type->isIntegerTy()) {
    unsigned bits = type->getIntegerBitWidth();
    for (; bits > kLongBits; bits -= kLongBits) pieces.push_back(Type::I64);
    pieces.push_back(integerOf(bits));
  } else if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    addVector(pieces, vector);
  } else {
    for (unsigned n = 0; n < type->getNumContainedTypes(); ++n) {
      const std::uint64_t times = type->isArrayTy() ? type->getArrayNumElements() : 1;
      for (std::uint64_t time = 0; time < times; ++time) {
        for (const Type piece : piecesOf(type->getContainedType(n))) pieces.push_back(piece);
      }
    }
  }
  return pieces;
}

std::vector<std::uint64_t> bitsOf(const llvm::Constant* constant) {
  const std::vector<Type> pieces = piecesOf(constant->getType());
  std::vector<std::uint64_t> bits(pieces.size(), 0);
  const auto scalar = [](const llvm::Constant* part) -> std::uint64_t {
    if (const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(part)) {
      return number->getValue().extractBitsAsZExtValue(std::min(kLongBits, number->getBitWidth()),
                                                       0);
    }
    if (const auto* number = llvm::dyn_cast_or_null<llvm::ConstantFP>(part)) {
      const llvm::APInt raw = number->getValueAPF().bitcastToAPInt();
      return raw.extractBitsAsZExtValue(std::min(kLongBits, raw.getBitWidth()), 0);
    }
    return 0;
  };
  if (!constant->getType()->isVectorTy()) {
    if (bits.size() == 1) bits[0] = scalar(constant);
    return bits;
  }
  unsigned element = 0;
  for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
    const unsigned width = 8 * bytesOf(elementOf(pieces[piece]));
    for (unsigned n = 0; n < elementsIn(pieces[piece]); ++n, ++element) {
      bits[piece] |= scalar(constant->getAggregateElement(element)) << (n * width);
    }
  }
  return bits;
}

}  // namespace ipusim::codelets
