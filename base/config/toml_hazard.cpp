// SPDX-License-Identifier: Apache-2.0
#include "base/config/toml_hazard.h"

#include <algorithm>
#include <string>

#include "base/files/read_file.h"

namespace ipusim {
namespace {

/// Walks TOML text outside strings and comments. It may split text that is not TOML wrongly, but
/// only after the place where the parser stops.
class HazardScan {
 public:
  explicit HazardScan(std::string_view text) : text_(text) {
    if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) at_ = kByteOrderMark.size();
  }

  TomlHazardAt find() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        skipString(c);
      } else if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (isStray(c)) {
        return {TomlHazard::StrayByte, line_};
      } else {
        count(c);
        ++at_;
      }
      if (brackets_ > kMaxNesting || dots_ > kMaxNesting) return {TomlHazard::TooDeep, line_};
    }
    return {TomlHazard::None, line_};
  }

 private:
  static bool isStray(char c) {
    constexpr std::string_view kLineBlanks = "\t\n\r";
    const bool printable = c >= ' ' && c <= '~';
    return !printable && kLineBlanks.find(c) == std::string_view::npos;
  }

  void count(char c) {
    if (c == '.') ++dots_;
    if (c == '\n') ++line_;
    if (c == '[' || c == '{') ++brackets_;
    if ((c == ']' || c == '}') && brackets_ > 0) --brackets_;
    constexpr std::string_view kKeyEnds = "\n=,[]{}";
    if (kKeyEnds.find(c) != std::string_view::npos) dots_ = 0;
  }

  void skipString(char quote) {
    const std::string triple(3, quote);
    const bool many_lines = text_.substr(at_, 3) == triple;
    const std::string_view end = many_lines ? std::string_view(triple) : text_.substr(at_, 1);
    at_ += end.size();
    while (at_ < text_.size() && text_.substr(at_, end.size()) != end) {
      if (text_[at_] == '\n') {
        if (!many_lines) return;
        ++line_;
      }
      if (text_[at_] == '\\' && quote == '"' && text_.substr(at_, 2) != "\\\n") ++at_;
      ++at_;
    }
    at_ += end.size();
    // A string of several lines may end in one or two quotes of its own.
    while (many_lines && at_ < text_.size() && text_[at_] == quote) ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t brackets_ = 0;
  std::size_t dots_ = 0;
};

}  // namespace

TomlHazardAt findTomlHazard(std::string_view text) {
  return HazardScan(text).find();
}

}  // namespace ipusim
