// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/mutator.h"

#include <algorithm>

namespace ipusim::fuzz {

namespace {

constexpr std::size_t kMostChanges = 4;
constexpr std::size_t kLongestPart = 64;
constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kWordEnds = " \t\n\r=,;\"'[]{}()#";

/// Numbers at the limits of types, of formats and of what makes sense.
const std::vector<std::string> kNumbers = {"0",
                                           "1",
                                           "2",
                                           "3",
                                           "7",
                                           "31",
                                           "127",
                                           "255",
                                           "256",
                                           "4096",
                                           "65536",
                                           "16777216",
                                           "-1",
                                           "-0",
                                           "2147483648",
                                           "4294967296",
                                           "9007199254740993",
                                           "9223372036854775807",
                                           "9223372036854775808",
                                           "18446744073709551615",
                                           "18446744073709551616",
                                           "1e9",
                                           "1e18",
                                           "1e-9",
                                           "1e308",
                                           "1e999",
                                           "nan",
                                           "inf",
                                           "-inf",
                                           "0.5",
                                           "0x10",
                                           "1_000",
                                           "00",
                                           "1e",
                                           ".",
                                           "--1"};
const std::vector<std::string> kWords = {"",         "\"",   "''",       "\"\"\"", "[",
                                         "]",        "{",    "}",        "(",      ")",
                                         "=",        ",",    ";",        "\\",     "true",
                                         "false",    "half", "float",    "toy",    "/dev/null",
                                         "..",       "/",    "{}",       "[]",     "\xef\xbb\xbf",
                                         "\x1b[31m", "#",    "\xc3\xa4", "\xff",   "not ",
                                         "and",      "- ",   "*",        "%s%n",   "{0}",
                                         "\n",       "\r\n"};

}  // namespace

std::string Mutator::mutate(std::string text, const std::string& other) {
  const std::size_t changes = 1 + below(kMostChanges);
  for (std::size_t i = 0; i < changes; ++i) change(text, other);
  return text;
}

void Mutator::change(std::string& text, const std::string& other) {
  if (text.empty()) text = oneOf(kWords);
  switch (below(8)) {
    case 0:
      return changeBytes(text);
    case 1:
    case 2:
    case 3:
      return changeNumber(text);
    case 4:
    case 5:
      return changeWord(text, other);
    default:
      return changeLines(text, other);
  }
}

void Mutator::changeBytes(std::string& text) {
  if (text.empty()) return;
  const std::size_t at = below(text.size());
  switch (below(5)) {
    case 0:
      text[at] = static_cast<char>(random_());
      break;
    case 1:
      text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
      break;
    case 2:
      text.insert(at, 1, static_cast<char>(random_()));
      break;
    case 3:
      text.erase(at, 1 + below(kLongestPart));
      break;
    default: {
      // Many copies of one part: depth, length.
      const std::string part = text.substr(at, 1 + below(4));
      for (std::size_t times = std::size_t{1} << below(11); times > 0; --times) {
        text.insert(at, part);
      }
    }
  }
}

void Mutator::changeNumber(std::string& text) {
  if (text.empty()) return;
  std::size_t begin = text.find_first_of(kDigits, below(text.size()));
  if (begin == std::string::npos) begin = text.find_first_of(kDigits);
  if (begin == std::string::npos) return changeBytes(text);
  const std::size_t end = std::min(text.find_first_not_of("0123456789_.e", begin), text.size());
  text.replace(begin, end - begin, oneOf(kNumbers));
}

void Mutator::changeWord(std::string& text, const std::string& other) {
  if (text.empty()) return;
  std::size_t begin = text.find_first_of(kWordEnds, below(text.size()));
  begin = begin == std::string::npos ? 0 : begin + 1;
  const std::size_t end = std::min(text.find_first_of(kWordEnds, begin), text.size());
  const bool from_other = below(2) == 0 && !other.empty();
  const std::string word = from_other ? partOf(other, kLongestPart) : oneOf(kWords);
  text.replace(begin, below(4) == 0 ? 0 : end - begin, word);
}

void Mutator::changeLines(std::string& text, const std::string& other) {
  if (text.empty()) return;
  const auto line_at = [](const std::string& in, std::size_t at) {
    const std::size_t before = at == 0 ? std::string::npos : in.rfind('\n', at - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const std::size_t end = in.find('\n', begin);
    return std::pair(begin, end == std::string::npos ? in.size() : end + 1);
  };
  const auto [begin, end] = line_at(text, below(text.size()));
  const std::string& source = below(2) == 0 || other.empty() ? text : other;
  const auto [from, to] = line_at(source, below(source.size()));
  const std::string line = source.substr(from, to - from);
  switch (below(3)) {
    case 0:
      text.erase(begin, end - begin);
      break;
    case 1:
      text.replace(begin, end - begin, line);
      break;
    default:
      text.insert(begin, line);
  }
}

std::string Mutator::partOf(const std::string& text, std::size_t longest) {
  const std::size_t begin = below(text.size());
  return text.substr(begin, 1 + below(longest));
}

}  // namespace ipusim::fuzz
