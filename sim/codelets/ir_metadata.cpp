// SPDX-License-Identifier: Apache-2.0
#include "sim/codelets/ir_metadata.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace ipusim::codelets {

namespace {

/// The part of `text` up to the next comma or closing bracket outside quotes and brackets.
std::size_t valueEnd(std::string_view text, std::size_t from) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t at = from; at < text.size(); ++at) {
    const char letter = text[at];
    if (letter == '"') quoted = !quoted;
    if (quoted) continue;
    if (letter == '(' || letter == '{' || letter == '[') ++depth;
    const bool closes = letter == ')' || letter == '}' || letter == ']';
    if (closes && depth-- == 0) return at;
    if (letter == ',' && depth == 0) return at;
  }
  return text.size();
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Calls `take` for each of the values that commas separate.
template <typename Take>
void forEachValue(std::string_view inside, const Take& take) {
  std::size_t from = 0;
  while (from < inside.size()) {
    const std::size_t end = valueEnd(inside, from);
    const std::string_view value = trimmed(inside.substr(from, end - from));
    if (!value.empty()) take(value);
    from = end + 1;
  }
}

MetadataNode parseNode(std::string_view text) {
  MetadataNode node;
  constexpr std::string_view kDistinct = "distinct ";
  if (text.substr(0, kDistinct.size()) == kDistinct) text.remove_prefix(kDistinct.size());
  const std::size_t open = text.find_first_of("({");
  if (open == std::string_view::npos || text.front() != '!') return node;
  const std::string_view inside = text.substr(open + 1, text.size() - open - 2);
  node.kind = text.substr(1, open - 1);
  if (text[open] == '{') {
    forEachValue(inside, [&](std::string_view value) { node.items.push_back(value); });
    return node;
  }
  forEachValue(inside, [&](std::string_view value) {
    const std::size_t colon = value.find(": ");
    if (colon == std::string_view::npos) return;
    node.attributes.emplace_back(value.substr(0, colon), value.substr(colon + 2));
  });
  return node;
}

/// The node after `!dbg ` in a line; empty where there is none.
std::string_view debugNode(std::string_view line) {
  constexpr std::string_view kMark = "!dbg ";
  const std::size_t mark = line.rfind(kMark);
  if (mark == std::string_view::npos) return {};
  std::size_t end = mark + kMark.size() + 1;
  while (end < line.size() && std::isdigit(static_cast<unsigned char>(line[end])) != 0) ++end;
  return line.substr(mark + kMark.size(), end - mark - kMark.size());
}

std::string_view functionName(std::string_view line) {
  const std::size_t at = line.find('@');
  if (at == std::string_view::npos) return {};
  if (line[at + 1] == '"') return line.substr(at + 2, line.find('"', at + 2) - at - 2);
  return line.substr(at + 1, line.find('(', at) - at - 1);
}

/// Assembly whose text is empty only holds the compiler back.
bool isAssembly(std::string_view line) {
  const std::size_t at = line.find(" asm ");
  if (at == std::string_view::npos || line.find("call ") == std::string_view::npos) return false;
  const std::size_t quote = line.find('"', at);
  return quote != std::string_view::npos && line.substr(quote, 2) != "\"\"";
}

}  // namespace

std::string_view MetadataNode::operator[](std::string_view name) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const auto& each) { return each.first == name; });
  if (found == attributes.end()) return {};
  std::string_view value = found->second;
  if (value.size() >= 2 && value.front() == '"') value = value.substr(1, value.size() - 2);
  return value;
}

std::uint64_t MetadataNode::number(std::string_view name) const {
  const std::string_view text = (*this)[name];
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

IrMetadata::IrMetadata(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    readLine(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
}

void IrMetadata::readLine(std::string_view line) {
  if (line.empty()) return;
  if (line.front() == '!') {
    const std::size_t equals = line.find(" = ");
    if (equals == std::string_view::npos) return;
    const std::string_view name = line.substr(0, equals);
    nodes_.emplace(name, parseNode(line.substr(equals + 3)));
    order_.push_back(name);
  } else if (line.substr(0, 7) == "define " && line.substr(0, 16) != "define internal ") {
    functions_.push_back({functionName(line), debugNode(line)});
  } else if (isAssembly(line)) {
    assembly_.push_back({debugNode(line)});
  }
}

const MetadataNode& IrMetadata::at(std::string_view reference) const {
  static const MetadataNode kNone;
  const auto found = nodes_.find(reference);
  return found == nodes_.end() ? kNone : found->second;
}

}  // namespace ipusim::codelets
