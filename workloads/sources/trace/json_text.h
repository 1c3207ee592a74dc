// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <charconv>
#include <string>
#include <string_view>

namespace ipusim::workloads {

/// Appends JSON to a text. Commas come by themselves.
class JsonText {
 public:
  explicit JsonText(std::string& text) : text_(text) {}

  JsonText& open(char bracket) {
    separate();
    text_ += bracket;
    first_ = true;
    return *this;
  }
  JsonText& close(char bracket) {
    text_ += bracket;
    first_ = false;
    return *this;
  }
  JsonText& key(std::string_view name) {
    value(name);
    text_ += ':';
    first_ = true;
    return *this;
  }
  JsonText& value(std::string_view text);
  template <typename Number>
  JsonText& number(Number number) {
    separate();
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    text_.append(digits.data(), end);
    return *this;
  }
  /// A number that reads back as a real one, even if it is whole.
  JsonText& real(double number) {
    const std::size_t begin = text_.size();
    this->number(number);
    if (text_.find_first_of(".e", begin) == std::string::npos) text_ += ".0";
    return *this;
  }
  JsonText& flag(bool value) {
    separate();
    text_ += value ? "true" : "false";
    return *this;
  }
  JsonText& textAt(std::string_view name, std::string_view text) { return key(name).value(text); }
  template <typename Number>
  JsonText& numberAt(std::string_view name, Number of) {
    return key(name).number(of);
  }
  /// A value that is JSON already.
  JsonText& rawAt(std::string_view name, std::string_view json) {
    key(name).separate();
    text_ += json;
    return *this;
  }
  void endLine() {
    text_ += '\n';
    first_ = true;
  }

 private:
  void separate() {
    if (!first_) text_ += ',';
    first_ = false;
  }

  std::string& text_;
  bool first_ = true;
};

}  // namespace ipusim::workloads
