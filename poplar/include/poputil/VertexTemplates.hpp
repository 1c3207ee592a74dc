// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <type_traits>

#include "poplar/Type.hpp"

namespace poputil {

namespace detail {

inline std::string argumentText(const std::string& text) {
  return text;
}
inline std::string argumentText(const char* text) {
  return text;
}
inline std::string argumentText(const poplar::Type& type) {
  return type.toString();
}
inline std::string argumentText(bool value) {
  return value ? "true" : "false";
}
template <typename T, typename = typename std::enable_if<std::is_integral<T>::value>::type>
std::string argumentText(T value) {
  return std::to_string(value);
}

inline void appendArguments(std::string&) {}
template <typename First, typename... More>
void appendArguments(std::string& text, const First& first, const More&... more) {
  text += (text.empty() ? "" : ",") + argumentText(first);
  appendArguments(text, more...);
}

}  // namespace detail

/// The name of an instance of a vertex template: "NAME<float,true,3>".
template <typename... Arguments>
std::string templateVertex(const std::string& name, const Arguments&... arguments) {
  std::string text;
  detail::appendArguments(text, arguments...);
  return name + "<" + text + ">";
}

}  // namespace poputil
