// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/text/statement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text/message.h"

namespace ipusim::workloads {

namespace {

constexpr std::size_t kDeepestBlocks = 16;
constexpr std::uint64_t kLargestNumber = 1U << 30U;

/// Reads words, and the characters that stand for themselves.
class StatementParser {
 public:
  explicit StatementParser(const std::string& text) : text_(text) {}

  std::vector<Statement> parse() {
    std::vector<Statement> statements = parseBlock(0);
    if (at_ < text_.size()) throw fault("a statement", "'}'");
    return statements;
  }

 private:
  [[nodiscard]] StatementError fault(const std::string& wanted, const std::string& found) const {
    return StatementError(line_, fmt::format("wanted {}, found {}", wanted, found));
  }

  /// Reads statements up to a closing brace or the end.
  std::vector<Statement> parseBlock(std::size_t depth) {
    if (depth > kDeepestBlocks) {
      throw fault(fmt::format("at most {} blocks inside each other", kDeepestBlocks), "more");
    }
    std::vector<Statement> statements;
    while (skipSeparators(), at_ < text_.size() && text_[at_] != '}') {
      statements.push_back(parseStatement(depth));
    }
    return statements;
  }

  Statement parseStatement(std::size_t depth) {
    Statement statement;
    statement.line = line_;
    statement.word = word();
    if (!statement.word.empty() && statement.word.back() == ':') {
      statement.label = statement.word.substr(0, statement.word.size() - 1);
      skipBlanks();
      statement.word = word();
    }
    if (statement.word.empty()) throw fault("a word", found());
    for (skipBlanks(); !isEnd(); skipBlanks()) statement.arguments.push_back(word());
    if (at_ < text_.size() && text_[at_] == '{') {
      ++at_;
      statement.has_block = true;
      statement.block = parseBlock(depth + 1);
      if (at_ >= text_.size()) {
        throw statement.error("a '}' that ends its block", "the end of the text");
      }
      ++at_;
    }
    return statement;
  }

  [[nodiscard]] std::string found() const {
    return at_ < text_.size() ? inQuotes(text_.substr(at_, 1)) : "the end of the text";
  }

  /// Whether a statement ends here, or its block begins.
  [[nodiscard]] bool isEnd() const {
    return at_ >= text_.size() || std::string("\n;#{}").find(text_[at_]) != std::string::npos;
  }

  std::string word() {
    const std::size_t begin = at_;
    while (!isEnd() && text_[at_] != ' ' && text_[at_] != '\t' && text_[at_] != '\r') ++at_;
    return text_.substr(begin, at_ - begin);
  }

  void skipBlanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r')) {
      ++at_;
    }
  }

  void skipSeparators() {
    for (skipBlanks(); at_ < text_.size(); skipBlanks()) {
      if (text_[at_] == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_[at_] == '\n' || text_[at_] == ';') {
        line_ += text_[at_] == '\n' ? 1 : 0;
        ++at_;
      } else {
        return;
      }
    }
  }

  const std::string& text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

/// A whole number of at least `least`, if `text` is one.
std::optional<std::uint64_t> wholeOf(const std::string& text, std::uint64_t least) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  const bool is_whole = read.ec == std::errc() && read.ptr == end;
  if (!is_whole || value < least || value > kLargestNumber) return std::nullopt;
  return value;
}

}  // namespace

std::string Statement::text() const {
  std::string result = word;
  for (const std::string& argument : arguments) result += " " + argument;
  return result;
}

StatementError Statement::error(const std::string& wanted, const std::string& found) const {
  return {line, fmt::format("{}: wanted {}, found {}", oneLine(text()), wanted, found)};
}

std::vector<Statement> parseStatements(const std::string& text) {
  return StatementParser(text).parse();
}

bool ArgumentReader::hasNumber() const {
  return !left_.empty() && left_.front().find_first_not_of("0123456789x") == std::string::npos;
}

std::string ArgumentReader::next(const std::string& what) {
  if (left_.empty()) throw statement_.error(what, "the end of the statement");
  std::string result = left_.front();
  left_.erase(left_.begin());
  return result;
}

std::uint64_t ArgumentReader::wholeArgument(const std::string& what) {
  const std::string text = next(what);
  const auto value = wholeOf(text, 1);
  if (!value) {
    throw statement_.error(fmt::format("{}: a whole number from 1 to {}", what, kLargestNumber),
                           inQuotes(text));
  }
  return *value;
}

double ArgumentReader::realArgument(const std::string& what) {
  const std::string text = next(what);
  double value = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end || !std::isfinite(value)) {
    throw statement_.error(what + ": a number", inQuotes(text));
  }
  return value;
}

std::string ArgumentReader::nameArgument(const std::string& what) {
  return next(what);
}

std::vector<std::uint64_t> ArgumentReader::parseSizes(const std::string& text,
                                                      const std::string& what,
                                                      std::size_t dimensions,
                                                      std::uint64_t least) const {
  std::vector<std::uint64_t> sizes;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    const auto value = wholeOf(text.substr(begin, end - begin), least);
    if (!value) break;
    sizes.push_back(*value);
    begin = end + 1;
  }
  const bool is_read = begin > text.size();
  if (is_read && sizes.size() == 1) return std::vector<std::uint64_t>(dimensions, sizes.front());
  if (is_read && sizes.size() == dimensions) return sizes;
  throw statement_.error(fmt::format("{}: a number from {}, or {} of them with x between them",
                                     what, least, dimensions),
                         inQuotes(text));
}

std::vector<std::uint64_t> ArgumentReader::sizesArgument(const std::string& what,
                                                         std::size_t dimensions) {
  return parseSizes(next(what), what, dimensions, 1);
}

std::optional<std::string> ArgumentReader::textOption(const std::string& option) {
  options_.push_back(option);
  const auto found = std::find(left_.begin(), left_.end(), option);
  if (found == left_.end()) return std::nullopt;
  if (found + 1 == left_.end()) {
    throw statement_.error("a value of " + option, "the end of the statement");
  }
  std::string value = *(found + 1);
  left_.erase(found, found + 2);
  return value;
}

std::optional<std::vector<std::uint64_t>> ArgumentReader::sizesIfThere(const std::string& option,
                                                                       std::size_t dimensions,
                                                                       std::uint64_t least) {
  const std::optional<std::string> value = textOption(option);
  if (!value) return std::nullopt;
  return parseSizes(*value, option, dimensions, least);
}

std::vector<std::uint64_t> ArgumentReader::sizesOption(const std::string& option,
                                                       std::size_t dimensions,
                                                       std::uint64_t otherwise,
                                                       std::uint64_t least) {
  return sizesIfThere(option, dimensions, least)
      .value_or(std::vector<std::uint64_t>(dimensions, otherwise));
}

std::uint64_t ArgumentReader::wholeOption(const std::string& option, std::uint64_t otherwise) {
  return sizesOption(option, 1, otherwise, 1).front();
}

bool ArgumentReader::flagOption(const std::string& option, bool otherwise) {
  const std::optional<std::string> value = textOption(option);
  if (!value) return otherwise;
  if (*value != "yes" && *value != "no")
    throw statement_.error(option + ": yes or no", inQuotes(*value));
  return *value == "yes";
}

void ArgumentReader::expectAllRead() const {
  if (left_.empty()) return;
  std::string wanted = "the end of the statement";
  if (!options_.empty()) wanted = fmt::format("{} or nothing", fmt::join(options_, ", "));
  throw statement_.error(wanted, inQuotes(left_.front()));
}

}  // namespace ipusim::workloads
