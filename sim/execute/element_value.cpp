// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/element_value.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

#include "ipusim/error.h"
#include "workloads/vertices/convert.h"
#include "workloads/vertices/number.h"

namespace ipusim::executor {

using workloads::Half;

namespace {

template <typename Element>
double numberOf(Element element) {
  return static_cast<double>(element);
}
double numberOf(Half element) {
  return static_cast<double>(workloads::floatOfHalfBits(element.x));
}

template <typename Integer>
Integer integerOf(double value) {
  using Limits = std::numeric_limits<Integer>;
  const bool holds = std::trunc(value) == value && value >= static_cast<double>(Limits::min()) &&
                     value <= static_cast<double>(Limits::max());
  if (!holds) throw InternalError(std::to_string(value) + " is no value of an integer element");
  return static_cast<Integer>(value);
}

template <typename Element>
Element elementOf(double value) {
  if constexpr (std::is_same_v<Element, Half>) {
    Half half;
    half.x = workloads::halfBits(static_cast<float>(value));
    return half;
  } else if constexpr (!std::is_integral_v<Element>) {
    return Element(static_cast<float>(value));
  } else if constexpr (std::is_same_v<Element, std::uint8_t>) {
    return value == 0 ? 0 : 1;
  } else {
    return integerOf<Element>(value);
  }
}

}  // namespace

void loadElements(ElementType type, const std::byte* from, const StridedRange& bytes, double* to,
                  std::uint64_t to_stride) {
  workloads::withElement(type, [&](auto element) {
    for (std::uint64_t i = 0; i < bytes.count; ++i) {
      std::memcpy(&element, from + i * bytes.stride, sizeof(element));
      to[i * to_stride] = numberOf(element);
    }
  });
}

void storeElements(ElementType type, const double* from, std::uint64_t from_stride,
                   const StridedRange& bytes, std::byte* to) {
  workloads::withElement(type, [&](auto element) {
    for (std::uint64_t i = 0; i < bytes.count; ++i) {
      element = elementOf<decltype(element)>(from[i * from_stride]);
      std::memcpy(to + i * bytes.stride, &element, sizeof(element));
    }
  });
}

double loadElement(ElementType type, const std::byte* from) {
  double value = 0;
  loadElements(type, from, {1, 0}, &value);
  return value;
}

void storeElement(ElementType type, double value, std::byte* to) {
  storeElements(type, &value, 1, {1, 0}, to);
}

double roundedTo(ElementType type, double value) {
  std::array<std::byte, sizeof(double)> element{};
  storeElement(type, value, element.data());
  return loadElement(type, element.data());
}

void roundTo(ElementType type, TensorValues& values) {
  workloads::withElement(type, [&](auto element) {
    for (double& value : values) value = numberOf(elementOf<decltype(element)>(value));
  });
}

}  // namespace ipusim::executor
