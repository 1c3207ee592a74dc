// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/element_value.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "ipusim/error.h"
#include "workloads/vertices/number.h"

namespace ipusim::checker {

using workloads::Half;

namespace {

template <typename Element>
double load(const std::byte* from) {
  Element element;
  std::memcpy(&element, from, sizeof(element));
  return static_cast<double>(element);
}

template <typename Element>
void store(Element element, std::byte* to) {
  std::memcpy(to, &element, sizeof(element));
}

template <typename Integer>
void storeInteger(double value, std::byte* to) {
  using Limits = std::numeric_limits<Integer>;
  const bool holds = std::trunc(value) == value && value >= static_cast<double>(Limits::min()) &&
                     value <= static_cast<double>(Limits::max());
  if (!holds) throw InternalError(std::to_string(value) + " is no value of an integer element");
  store(static_cast<Integer>(value), to);
}

}  // namespace

double loadElement(ElementType type, const std::byte* from) {
  switch (type) {
    case ElementType::Half:
      return load<Half>(from);
    case ElementType::Float:
      return load<float>(from);
    case ElementType::Int32:
      return load<std::int32_t>(from);
    case ElementType::UInt32:
      return load<std::uint32_t>(from);
    case ElementType::UInt16:
      return load<std::uint16_t>(from);
    case ElementType::Bool:
      break;
  }
  return load<std::uint8_t>(from);
}

void storeElement(ElementType type, double value, std::byte* to) {
  switch (type) {
    case ElementType::Half:
      return store(static_cast<Half>(value), to);
    case ElementType::Float:
      return store(static_cast<float>(value), to);
    case ElementType::Int32:
      return storeInteger<std::int32_t>(value, to);
    case ElementType::UInt32:
      return storeInteger<std::uint32_t>(value, to);
    case ElementType::UInt16:
      return storeInteger<std::uint16_t>(value, to);
    case ElementType::Bool:
      break;
  }
  store<std::uint8_t>(value == 0 ? 0 : 1, to);
}

double roundedTo(ElementType type, double value) {
  std::array<std::byte, sizeof(double)> element{};
  storeElement(type, value, element.data());
  return loadElement(type, element.data());
}

}  // namespace ipusim::checker
