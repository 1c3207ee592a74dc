// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/text_layout.h"

#include <algorithm>

#include "base/text/message.h"
#include "sim/report/text/table_options.h"

namespace ipusim::report {

namespace {

constexpr std::size_t kTextLayoutIndent = 10;

}  // namespace

std::string shortened(const std::string& text, std::size_t length) {
  const std::string gap = "..";
  if (text.size() <= length) return text;
  const std::size_t head = (length - gap.size()) / 2;
  const std::size_t tail = length - gap.size() - head;
  return text.substr(0, head) + gap + text.substr(text.size() - tail);
}

std::string shownName(const std::string& name) {
  return oneLine(name, std::string::npos);
}

std::string words(std::string key) {
  std::replace(key.begin(), key.end(), '_', ' ');
  return key;
}

std::string wrapped(const std::string& heading, const std::vector<std::string>& items) {
  std::string text = heading;
  text.resize(kTextLayoutIndent, ' ');
  std::size_t column = kTextLayoutIndent;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string item = items[i] + (i + 1 < items.size() ? "," : "");
    if (column > kTextLayoutIndent && column + 1 + item.size() > kPageWidth) {
      text += '\n' + std::string(kTextLayoutIndent, ' ');
      column = kTextLayoutIndent;
    }
    const std::string space = column > kTextLayoutIndent ? " " : "";
    text += space + item;
    column += space.size() + item.size();
  }
  return text + '\n';
}

std::string withoutTrailingSpaces(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') result.erase(result.find_last_not_of(' ') + 1);
    result += c;
  }
  return result;
}

}  // namespace ipusim::report
