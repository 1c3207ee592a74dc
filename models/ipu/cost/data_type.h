// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/element_type.h"
#include "ipusim/error.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// A type that the published estimates distinguish: the types of a tensor's elements, which convert
/// implicitly, and types that no tensor here has.
class DataType {
 public:
  enum class Name : std::uint8_t {
    Half,
    Float,
    Int,
    UnsignedInt,
    Short,
    UnsignedShort,
    Bool,
    Char,
    SignedChar,
    UnsignedChar,
    Quarter,  ///< 8-bit floating point
    LongLong,
    UnsignedLongLong,
  };

  constexpr DataType(Name name) : name_(name) {}                          // NOLINT(*-explicit-*)
  constexpr DataType(ElementType element) : DataType(nameOf(element)) {}  // NOLINT(*-explicit-*)

  [[nodiscard]] constexpr Name name() const { return name_; }
  friend constexpr bool operator==(DataType a, DataType b) { return a.name_ == b.name_; }
  friend constexpr bool operator!=(DataType a, DataType b) { return !(a == b); }

  /// The type of a tensor's elements. Throws InternalError when no tensor has such elements.
  [[nodiscard]] ElementType element() const {
    for (const ElementType type :
         {ElementType::Half, ElementType::Float, ElementType::Int32, ElementType::UInt32,
          ElementType::UInt16, ElementType::Bool, ElementType::Quarter}) {
      if (nameOf(type) == name_) return type;
    }
    throw InternalError("a type that no tensor has");
  }

 private:
  static constexpr Name nameOf(ElementType element) {
    switch (element) {
      case ElementType::Half:
        return Name::Half;
      case ElementType::Float:
        return Name::Float;
      case ElementType::Int32:
        return Name::Int;
      case ElementType::UInt32:
        return Name::UnsignedInt;
      case ElementType::UInt16:
        return Name::UnsignedShort;
      case ElementType::Bool:
        return Name::Bool;
      case ElementType::Quarter:
        break;
    }
    return Name::Quarter;
  }

  Name name_;
};

/// Bytes of one element.
constexpr Bytes sizeOf(DataType type) {
  switch (type.name()) {
    case DataType::Name::LongLong:
    case DataType::Name::UnsignedLongLong:
      return Bytes(8);
    case DataType::Name::Float:
    case DataType::Name::Int:
    case DataType::Name::UnsignedInt:
      return Bytes(4);
    case DataType::Name::Half:
    case DataType::Name::Short:
    case DataType::Name::UnsignedShort:
      return Bytes(2);
    case DataType::Name::Bool:
    case DataType::Name::Char:
    case DataType::Name::SignedChar:
    case DataType::Name::UnsignedChar:
    case DataType::Name::Quarter:
      break;
  }
  return Bytes(1);
}

constexpr bool isSixtyFourBits(DataType type) {
  return sizeOf(type) == Bytes(8);
}

/// True for an 8-bit integer, signed or unsigned.
constexpr bool isByteInteger(DataType type) {
  return type == DataType::Name::Char || type == DataType::Name::SignedChar ||
         type == DataType::Name::UnsignedChar;
}

}  // namespace ipusim::models
