// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/colours.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

namespace ipusim::report {

namespace {

// Source: ECMA-48, Select Graphic Rendition.
constexpr std::string_view kPlain = "\x1b[0m";
constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kRed = "\x1b[31m";
constexpr std::string_view kGreen = "\x1b[32m";
constexpr std::string_view kYellow = "\x1b[33m";

struct Verdict {
  std::string_view text;
  std::string_view colour;
};
constexpr std::array kVerdicts{Verdict{"it fits", kGreen}, Verdict{"it DOES NOT FIT", kRed}};

std::string in(std::string_view colour, std::string_view text) {
  return std::string(colour) + std::string(text) + std::string(kPlain);
}

/// The letters of the heading that a line begins with.
std::size_t headingLength(const std::string& line) {
  const auto* const end = std::find_if(line.data(), line.data() + line.size(),
                                       [](char c) { return c < 'A' || c > 'Z'; });
  const auto length = static_cast<std::size_t>(end - line.data());
  const bool ends = length == line.size() || line[length] == ' ';
  return ends ? length : 0;
}

std::string colouredLine(const std::string& line) {
  const std::size_t length = headingLength(line);
  if (length == 0) return line;
  const std::string heading = line.substr(0, length);
  return in(heading == "WARNING" ? kYellow : kBold, heading) + line.substr(length);
}

std::string colouredTitle(const std::string& line) {
  for (const Verdict& verdict : kVerdicts) {
    const std::size_t at = line.find(verdict.text);
    if (at == std::string::npos) continue;
    return line.substr(0, at) + in(verdict.colour, verdict.text) +
           line.substr(at + verdict.text.size());
  }
  return line;
}

}  // namespace

std::string coloured(const std::string& table) {
  std::istringstream lines(table);
  std::string text;
  bool is_title = true;
  for (std::string line; std::getline(lines, line); is_title = false) {
    text += (is_title ? colouredTitle(line) : colouredLine(line)) + '\n';
  }
  return text;
}

}  // namespace ipusim::report
