// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/validate/cell.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/message.h"

namespace ipusim::validate {

namespace {

/// How many brackets are open at the end of the text so far, and in which quotes it is.
class Nesting {
 public:
  void see(char c) {
    if (quote_ != '\0') {
      if (c == quote_) quote_ = '\0';
    } else if (c == '"' || c == '\'') {
      quote_ = c;
    } else if (c == '{' || c == '[') {
      ++depth_;
    } else if ((c == '}' || c == ']') && depth_ > 0) {
      --depth_;
    }
  }
  [[nodiscard]] bool outside() const { return quote_ == '\0' && depth_ == 0; }

 private:
  char quote_ = '\0';
  std::size_t depth_ = 0;
};

}  // namespace

ConfigError Cell::error(const std::string& wanted) const {
  return ConfigError(fmt::format("{}: wanted {}, found {}", where, wanted,
                                 text.empty() ? "nothing" : inQuotes(text)));
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
  return text.substr(0, text.find_last_not_of(kSpaces) + 1);
}

std::vector<std::string> splitOutsideBrackets(std::string_view text, char separator) {
  std::vector<std::string> parts;
  Nesting nesting;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == separator && nesting.outside()) {
      parts.emplace_back(trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    } else {
      nesting.see(text[i]);
    }
  }
  parts.emplace_back(trimmed(text.substr(begin)));
  return parts;
}

}  // namespace ipusim::validate
