// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "poplar/Type.hpp"

namespace poplar {

namespace detail {

/// The type of the tile that holds a whole number of the host: as many bytes, or the nearest.
template <std::size_t Bytes, bool Signed>
struct WholeNumber;
template <>
struct WholeNumber<1, true> {
  static constexpr TypeId kId = TypeId::SignedChar;
};
template <>
struct WholeNumber<1, false> {
  static constexpr TypeId kId = TypeId::UnsignedChar;
};
template <>
struct WholeNumber<2, true> {
  static constexpr TypeId kId = TypeId::Short;
};
template <>
struct WholeNumber<2, false> {
  static constexpr TypeId kId = TypeId::UnsignedShort;
};
template <>
struct WholeNumber<4, true> {
  static constexpr TypeId kId = TypeId::Int;
};
template <>
struct WholeNumber<4, false> {
  static constexpr TypeId kId = TypeId::UnsignedInt;
};
template <>
struct WholeNumber<8, true> {
  static constexpr TypeId kId = TypeId::LongLong;
};
template <>
struct WholeNumber<8, false> {
  static constexpr TypeId kId = TypeId::UnsignedLongLong;
};

/// The layout of a number in the host's memory.
template <typename T>
struct HostNumber : WholeNumber<sizeof(T), std::is_signed<T>::value> {
  static_assert(std::is_integral<T>::value || std::is_enum<T>::value,
                "a value for the device is a number");
};
template <>
struct HostNumber<bool> {
  static constexpr TypeId kId = TypeId::Bool;
};
template <>
struct HostNumber<float> {
  static constexpr TypeId kId = TypeId::Float;
};
template <>
struct HostNumber<double> {
  static constexpr TypeId kId = TypeId::Double;
};

}  // namespace detail

/// `equivalent_device_type<T>().value` is the element type for numbers of the host's type T.
template <typename T>
struct equivalent_device_type {
  Type value = Type(detail::HostNumber<T>::kId);
};
template <>
struct equivalent_device_type<double> {
  Type value = FLOAT;
};
template <>
struct equivalent_device_type<char> {
  Type value = CHAR;
};

}  // namespace poplar
