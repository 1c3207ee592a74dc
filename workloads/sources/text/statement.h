// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

// The text of a network: statements, one per line or separated by ';'. A '#' begins a comment.
//
//   stem: conv 64 7 stride 2 pad 3     a label, a word and its arguments
//   repeat 3 { linear 512; relu }      a block

namespace ipusim::workloads {

/// A mistake in the text of a network. The message is without the line.
class StatementError : public std::runtime_error {
 public:
  StatementError(std::size_t line_of_text, const std::string& message)
      : std::runtime_error(message), line(line_of_text) {}

  std::size_t line;  ///< of the text, from 1
};

struct Statement {
  std::size_t line = 0;  ///< of the text, from 1
  std::string label;     ///< empty when there is none
  std::string word;
  std::vector<std::string> arguments;
  std::vector<Statement> block;
  bool has_block = false;

  /// The statement as one line, without its block.
  [[nodiscard]] std::string text() const;
  /// "TEXT: wanted WANTED, found FOUND".
  [[nodiscard]] StatementError error(const std::string& wanted, const std::string& found) const;
};

/// Reads statements. Throws StatementError.
std::vector<Statement> parseStatements(const std::string& text);

/// Reads the arguments of a statement: first those without a name, in order, and options, which are
/// a name and a value, anywhere behind them.
class ArgumentReader {
 public:
  explicit ArgumentReader(const Statement& statement)
      : statement_(statement), left_(statement.arguments) {}

  /// Whether the next argument is a number, such as 64 or 3x3.
  [[nodiscard]] bool hasNumber() const;
  /// The next argument as a whole number from 1. `what` names it in messages.
  std::uint64_t wholeArgument(const std::string& what);
  /// The next argument as a real number.
  double realArgument(const std::string& what);
  /// The next argument as a size in each of `dimensions`: "3" or "3x5".
  std::vector<std::uint64_t> sizesArgument(const std::string& what, std::size_t dimensions);
  /// The next argument as a name.
  std::string nameArgument(const std::string& what);
  /// The value of an option as sizes from `least`; `otherwise` when it is not there.
  std::vector<std::uint64_t> sizesOption(const std::string& option, std::size_t dimensions,
                                         std::uint64_t otherwise, std::uint64_t least);
  /// The value of an option as sizes from `least`, if it is there.
  std::optional<std::vector<std::uint64_t>> sizesIfThere(const std::string& option,
                                                         std::size_t dimensions,
                                                         std::uint64_t least);
  /// The value of an option as a whole number from 1.
  std::uint64_t wholeOption(const std::string& option, std::uint64_t otherwise);
  /// The value of an option, "yes" or "no".
  bool flagOption(const std::string& option, bool otherwise);
  /// The value of an option as text.
  std::optional<std::string> textOption(const std::string& option);

  /// Throws for arguments that nobody read. The message lists the options that were asked for.
  void expectAllRead() const;

 private:
  std::string next(const std::string& what);
  [[nodiscard]] std::vector<std::uint64_t> parseSizes(const std::string& text,
                                                      const std::string& what,
                                                      std::size_t dimensions,
                                                      std::uint64_t least) const;

  const Statement& statement_;
  std::vector<std::string> left_;
  std::vector<std::string> options_;  ///< that were asked for
};

}  // namespace ipusim::workloads
