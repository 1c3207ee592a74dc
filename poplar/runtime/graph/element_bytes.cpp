// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/graph/element_bytes.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>

#include "poplar/exceptions.hpp"
#include "sim/execute/element_value.h"

namespace poplar::detail {

using ipusim::ElementType;

Storage storageOf(TypeId type) {
  switch (type) {
    case TypeId::Bool:
    case TypeId::Char:
    case TypeId::SignedChar:
    case TypeId::UnsignedChar:
      return {ElementType::Bool, 1};
    case TypeId::Quarter:
      return {ElementType::Quarter, 1};
    case TypeId::Short:
    case TypeId::UnsignedShort:
      return {ElementType::UInt16, 1};
    case TypeId::Half:
      return {ElementType::Half, 1};
    case TypeId::Int:
    case TypeId::Long:
      return {ElementType::Int32, 1};
    case TypeId::UnsignedInt:
    case TypeId::UnsignedLong:
      return {ElementType::UInt32, 1};
    case TypeId::Float:
      return {ElementType::Float, 1};
    case TypeId::LongLong:
    case TypeId::UnsignedLongLong:
    case TypeId::Double:
      return {ElementType::UInt32, 2};
    case TypeId::None:
      break;
  }
  throw type_error("type: wanted an element type, found an empty one");
}

namespace {

template <typename T>
T valueAt(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <typename T, typename From>
void store(From value, std::byte* to) {
  const T converted = static_cast<T>(value);
  std::memcpy(to, &converted, sizeof converted);
}

bool isSigned(TypeId type) {
  return type == TypeId::Char || type == TypeId::SignedChar || type == TypeId::Short ||
         type == TypeId::Int || type == TypeId::Long || type == TypeId::LongLong;
}

double fraction(TypeId type, const std::byte* from) {
  switch (type) {
    case TypeId::Float:
      return valueAt<float>(from);
    case TypeId::Double:
      return valueAt<double>(from);
    case TypeId::Half:
      return ipusim::executor::loadElement(ElementType::Half, from);
    default:
      return ipusim::executor::loadElement(ElementType::Quarter, from);
  }
}

void storeFraction(TypeId type, double value, std::byte* to) {
  switch (type) {
    case TypeId::Float:
      return store<float>(value, to);
    case TypeId::Double:
      return store<double>(value, to);
    case TypeId::Half:
      return ipusim::executor::storeElement(ElementType::Half, value, to);
    default:
      return ipusim::executor::storeElement(ElementType::Quarter, value, to);
  }
}

void storeWhole(TypeId type, std::int64_t value, std::byte* to) {
  if (type == TypeId::Bool) return store<bool>(value != 0, to);
  std::memcpy(to, &value, bytesOf(type));  // two's complement, little endian
}

void convert(TypeId from, const std::byte* value, TypeId to, std::byte* result) {
  if (from == to) {
    std::memcpy(result, value, bytesOf(to));
  } else if (isFraction(from)) {
    const double number = fraction(from, value);
    if (isFraction(to)) return storeFraction(to, number, result);
    if (to == TypeId::Bool) return store<bool>(number != 0, result);
    storeWhole(to, static_cast<std::int64_t>(number), result);
  } else {
    const std::int64_t number = wholeNumber(from, value);
    if (!isFraction(to)) return storeWhole(to, number, result);
    const bool is_large = from == TypeId::UnsignedLongLong && number < 0;
    storeFraction(
        to,
        is_large ? static_cast<double>(valueAt<std::uint64_t>(value)) : static_cast<double>(number),
        result);
  }
}

}  // namespace

TypeId signedType(std::size_t bytes) {
  switch (bytes) {
    case 1:
      return TypeId::SignedChar;
    case 2:
      return TypeId::Short;
    case 4:
      return TypeId::Int;
    case 8:
      return TypeId::LongLong;
    default:
      return TypeId::None;
  }
}

TypeId unsignedType(std::size_t bytes) {
  switch (bytes) {
    case 1:
      return TypeId::UnsignedChar;
    case 2:
      return TypeId::UnsignedShort;
    case 4:
      return TypeId::UnsignedInt;
    case 8:
      return TypeId::UnsignedLongLong;
    default:
      return TypeId::None;
  }
}

bool isFraction(TypeId type) {
  return type == TypeId::Half || type == TypeId::Float || type == TypeId::Double ||
         type == TypeId::Quarter;
}

std::int64_t wholeNumber(TypeId type, const std::byte* element) {
  if (isFraction(type)) {
    throw type_error(fmt::format("wanted a whole number, found a {}", spellingOf(type)));
  }
  std::int64_t value = 0;
  const std::size_t bytes = bytesOf(type);
  std::memcpy(&value, element, bytes);
  const auto shift = static_cast<unsigned>(64 - 8 * bytes);
  if (!isSigned(type) || shift == 0) return value;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << shift) >> shift;
}

std::vector<std::byte> converted(const HostValues& values, TypeId to) {
  static_cast<void>(storageOf(to));
  std::vector<std::byte> bytes(values.count * bytesOf(to));
  const auto* from = static_cast<const std::byte*>(values.data);
  for (std::size_t i = 0; i < values.count; ++i) {
    convert(values.type, from + i * bytesOf(values.type), to, bytes.data() + i * bytesOf(to));
  }
  return bytes;
}

std::string textOf(TypeId type, const std::byte* element) {
  if (isFraction(type)) return fmt::format("{:.7f}", fraction(type, element));
  if (type == TypeId::UnsignedLongLong) return std::to_string(valueAt<std::uint64_t>(element));
  return std::to_string(wholeNumber(type, element));
}

}  // namespace poplar::detail
