// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "ipusim/units.h"

namespace ipusim {

/// Type of an element in tile memory. A quarter is an 8-bit float with 4 bits of exponent, a bias
/// of 8 and no infinities.
enum class ElementType : std::uint8_t { Half, Float, Int32, UInt32, UInt16, Bool, Quarter };

/// Bytes of one element.
constexpr Bytes sizeOf(ElementType type) {
  switch (type) {
    case ElementType::Half:
    case ElementType::UInt16:
      return Bytes(2);
    case ElementType::Bool:
    case ElementType::Quarter:
      return Bytes(1);
    case ElementType::Float:
    case ElementType::Int32:
    case ElementType::UInt32:
      break;
  }
  return Bytes(4);
}

/// The name of a type: "half", "float", "int", "unsigned int", "unsigned short", "bool" or
/// "quarter".
const char* nameOf(ElementType type);

}  // namespace ipusim
