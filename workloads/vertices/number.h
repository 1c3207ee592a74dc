// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <type_traits>

#include "ipusim/element_type.h"
#include "workloads/vertices/quarter.h"

namespace ipusim::workloads {

/// The C++ type that holds a half in tile memory: IEEE binary16, rounded to nearest even.
using Half = Eigen::half;

/// The C++ type to compute with: float for a half or a float, and 64 bits for an integer. The
/// integer's own type then takes the low bits of a result, as the machine does.
template <typename Element>
using Arithmetic =
    std::conditional_t<std::is_integral_v<Element>,
                       std::conditional_t<std::is_signed_v<Element>, std::int64_t, std::uint64_t>,
                       float>;

/// Whether most vertices compute with a type.
template <typename Element>
constexpr bool kIsNumber = std::is_same_v<Element, Half> || std::is_same_v<Element, float>;

/// Calls `function` with a value of the C++ type of `type`, which must be Half or Float.
template <typename Function>
void withNumber(ElementType type, const Function& function) {
  if (type == ElementType::Half) {
    function(Half{});
  } else {
    function(float{});
  }
}

/// Calls `function` with a value of the C++ type of any `type`. A bool is held in a byte.
template <typename Function>
void withElement(ElementType type, const Function& function) {
  switch (type) {
    case ElementType::Half:
    case ElementType::Float:
      return withNumber(type, function);
    case ElementType::Int32:
      return function(std::int32_t{});
    case ElementType::UInt32:
      return function(std::uint32_t{});
    case ElementType::UInt16:
      return function(std::uint16_t{});
    case ElementType::Quarter:
      return function(Quarter{});
    case ElementType::Bool:
      break;
  }
  function(std::uint8_t{});
}

constexpr bool isFloating(ElementType type) {
  return type == ElementType::Half || type == ElementType::Float;
}

}  // namespace ipusim::workloads
