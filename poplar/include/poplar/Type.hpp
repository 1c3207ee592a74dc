// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>

namespace poplar {

namespace detail {

/// The element types of a tile, whose `long` has 4 bytes.
enum class TypeId : std::uint8_t {
  None,
  Bool,
  Char,
  SignedChar,
  UnsignedChar,
  Short,
  UnsignedShort,
  Int,
  UnsignedInt,
  Long,
  UnsignedLong,
  LongLong,
  UnsignedLongLong,
  Half,
  Float,
  Double,
  Quarter
};

/// The spelling in C++ on the tile.
inline const char* spellingOf(TypeId type) {
  static const char* const kSpellings[] = {"invalid",
                                           "bool",
                                           "char",
                                           "signed char",
                                           "unsigned char",
                                           "short",
                                           "unsigned short",
                                           "int",
                                           "unsigned int",
                                           "long",
                                           "unsigned long",
                                           "long long",
                                           "unsigned long long",
                                           "half",
                                           "float",
                                           "double",
                                           "quarter"};
  return kSpellings[static_cast<std::size_t>(type)];
}

inline std::size_t bytesOf(TypeId type) {
  static const std::size_t kBytes[] = {0, 1, 1, 1, 1, 2, 2, 4, 4, 4, 4, 8, 8, 2, 4, 8, 1};
  return kBytes[static_cast<std::size_t>(type)];
}

}  // namespace detail

/// The type of the elements of a tensor.
class Type {
 public:
  constexpr Type() : id_(detail::TypeId::None) {}
  constexpr explicit Type(detail::TypeId id) : id_(id) {}

  std::string toString() const { return detail::spellingOf(id_); }
  constexpr detail::TypeId id() const { return id_; }

  friend constexpr bool operator==(const Type& a, const Type& b) { return a.id_ == b.id_; }
  friend constexpr bool operator!=(const Type& a, const Type& b) { return a.id_ != b.id_; }
  friend constexpr bool operator<(const Type& a, const Type& b) { return a.id_ < b.id_; }

 private:
  detail::TypeId id_;
};

constexpr Type BOOL(detail::TypeId::Bool);
constexpr Type CHAR(detail::TypeId::Char);
constexpr Type SIGNED_CHAR(detail::TypeId::SignedChar);
constexpr Type UNSIGNED_CHAR(detail::TypeId::UnsignedChar);
constexpr Type SHORT(detail::TypeId::Short);
constexpr Type UNSIGNED_SHORT(detail::TypeId::UnsignedShort);
constexpr Type INT(detail::TypeId::Int);
constexpr Type UNSIGNED_INT(detail::TypeId::UnsignedInt);
constexpr Type LONG(detail::TypeId::Long);
constexpr Type UNSIGNED_LONG(detail::TypeId::UnsignedLong);
constexpr Type LONGLONG(detail::TypeId::LongLong);
constexpr Type UNSIGNED_LONGLONG(detail::TypeId::UnsignedLongLong);
constexpr Type HALF(detail::TypeId::Half);
constexpr Type FLOAT(detail::TypeId::Float);
constexpr Type DOUBLE(detail::TypeId::Double);
constexpr Type QUARTER(detail::TypeId::Quarter);

inline std::ostream& operator<<(std::ostream& out, const Type& type) {
  return out << detail::spellingOf(type.id());
}

}  // namespace poplar

namespace std {
template <>
struct hash<poplar::Type> {
  size_t operator()(const poplar::Type& type) const { return static_cast<size_t>(type.id()); }
};
}  // namespace std
