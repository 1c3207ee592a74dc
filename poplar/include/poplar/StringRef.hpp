// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <ostream>
#include <string>

#include "poplar/ArrayRef.hpp"
#include "poplar/detail/handle.hpp"

namespace poplar {

/// A view of characters.
class StringRef : public ArrayRef<char> {
 public:
  StringRef() = default;
  StringRef(const char* text) : ArrayRef<char>(text, std::strlen(text)) {}
  StringRef(const char* text, std::size_t size) : ArrayRef<char>(text, size) {}
  StringRef(const std::string& text) : ArrayRef<char>(text.data(), text.size()) {}

  std::string str() const { return std::string(data(), size()); }
  std::string cloneAsString() const { return str(); }
  operator std::string() const { return str(); }
};

inline bool operator==(const StringRef& a, const StringRef& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0;
}
inline bool operator!=(const StringRef& a, const StringRef& b) {
  return !(a == b);
}
inline bool operator<(const StringRef& a, const StringRef& b) {
  return a.str() < b.str();
}
inline std::string operator+(const StringRef& a, const StringRef& b) {
  return a.str() + b.str();
}
inline std::ostream& operator<<(std::ostream& out, const StringRef& text) {
  return out.write(text.data(), static_cast<std::streamsize>(text.size()));
}

namespace detail {
inline Text textOf(const StringRef& text) {
  return Text{text.data(), text.size()};
}
}  // namespace detail

}  // namespace poplar
