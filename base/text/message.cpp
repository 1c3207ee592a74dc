// SPDX-License-Identifier: Apache-2.0
#include "base/text/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace ipusim {
namespace {

constexpr unsigned char kFirstPrintable = 0x20;
constexpr unsigned char kDelete = 0x7f;
constexpr unsigned char kFirstNonAscii = 0x80;

constexpr unsigned char kFirstFollowing = 0x80;
constexpr unsigned char kLastFollowing = 0xbf;

/// The bytes that may follow a lead byte of UTF-8: longer forms than needed, surrogates and numbers
/// above the last character are none.
bool mayFollow(unsigned char lead, unsigned char second) {
  unsigned char first = kFirstFollowing;
  unsigned char last = kLastFollowing;
  if (lead == 0xe0) first = 0xa0;
  if (lead == 0xed) last = 0x9f;
  if (lead == 0xf0) first = 0x90;
  if (lead == 0xf4) last = 0x8f;
  return second >= first && second <= last;
}

/// The number of bytes of the UTF-8 sequence at the front of `text`, or 0 when there is none.
std::size_t sequenceLength(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  std::size_t length = 0;
  if (lead < kFirstNonAscii) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) length = 2;
  if (lead >= 0xe0 && lead <= 0xef) length = 3;
  if (lead >= 0xf0 && lead <= 0xf4) length = 4;
  if (length == 0 || text.size() < length) return 0;
  if (!mayFollow(lead, static_cast<unsigned char>(text[1]))) return 0;
  const auto follows = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; };
  return std::all_of(text.begin() + 2, text.begin() + static_cast<std::ptrdiff_t>(length), follows)
             ? length
             : 0;
}

/// True for the marks of direction (U+200E and U+200F, U+202A to U+202E, U+2066 to U+2069), which
/// let a name stand in another order than it has.
bool turnsText(std::string_view sequence) {
  return sequence == "\u200e" || sequence == "\u200f" ||
         (sequence >= "\u202a" && sequence <= "\u202e") ||
         (sequence >= "\u2066" && sequence <= "\u2069");
}

/// True for C1 controls (U+0080 to U+009F), which are two bytes in UTF-8 and control terminals too,
/// for U+2028 and U+2029, which end a line, and for marks of direction.
bool steersTerminal(std::string_view sequence) {
  if (sequence.size() == 2) return sequence[0] == '\xc2' && sequence[1] <= '\x9f';
  return sequence == "\u2028" || sequence == "\u2029" || turnsText(sequence);
}

std::string escaped(char c) {
  switch (c) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
}

/// Levenshtein distance, one row at a time.
std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

constexpr std::size_t kShortestBeginning = 3;

/// The number of edits from `name` to `choice`. A key that only lacks its unit is one edit away,
/// and so is a single word of which only the beginning is written.
std::size_t distanceTo(std::string_view choice, std::string_view name) {
  const std::string_view rest = choice.substr(std::min(name.size(), choice.size()));
  const bool begins = choice.substr(0, name.size()) == name && !rest.empty();
  const bool is_word = rest.find('_') == std::string_view::npos;
  if (begins && (rest.front() == '_' || (is_word && name.size() >= kShortestBeginning))) return 1;
  return editDistance(name, choice);
}

}  // namespace

std::string oneLine(std::string_view text, std::size_t length) {
  std::string line;
  while (!text.empty()) {
    const std::size_t bytes = sequenceLength(text);
    const std::string_view sequence = text.substr(0, std::max<std::size_t>(bytes, 1));
    if (line.size() + sequence.size() > length) return line + "…";
    const auto lead = static_cast<unsigned char>(sequence.front());
    const bool control = lead < kFirstPrintable || lead == kDelete;
    if (bytes == 0 || control || steersTerminal(sequence)) {
      for (const char c : sequence) line += escaped(c);
    } else {
      line += sequence;
    }
    text.remove_prefix(sequence.size());
  }
  return line;
}

bool isUtf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = sequenceLength(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::string inQuotes(std::string_view text) {
  return '"' + oneLine(text) + '"';
}

std::string nearest(std::string_view name, const std::vector<std::string>& choices) {
  if (name.empty() || name.size() > kQuotedLength) return {};
  const std::size_t far = std::max<std::size_t>(2, name.size() / 3);
  std::string best;
  std::size_t best_distance = std::min(far + 1, name.size());
  for (const std::string& choice : choices) {
    const std::size_t distance = distanceTo(choice, name);
    if (distance >= best_distance) continue;
    best_distance = distance;
    best = choice;
  }
  return best;
}

std::vector<std::string> nearestOf(std::string_view name, std::vector<std::string> choices,
                                   std::size_t count) {
  const std::string_view head = name.substr(0, kQuotedLength);
  std::stable_sort(choices.begin(), choices.end(),
                   [head](const std::string& a, const std::string& b) {
                     return distanceTo(a, head) < distanceTo(b, head);
                   });
  choices.resize(std::min(choices.size(), count));
  return choices;
}

std::string didYouMean(std::string_view name, const std::vector<std::string>& choices) {
  const std::string choice = nearest(name, choices);
  return choice.empty() ? "" : fmt::format(" (did you mean {}?)", choice);
}

}  // namespace ipusim
