// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace ipusim::sweep {

/// Whether a condition holds, and how far it is from holding: 0 when it holds. The violation of a
/// comparison is the difference of its sides, relative to the larger one. `and` adds the violations
/// of its sides, `or` takes the smaller one. What cannot be measured (==, not, a flag) counts as 1.
struct ConditionValue {
  double violation = 0;

  [[nodiscard]] bool holds() const { return violation == 0; }
};

using ExpressionValue = std::variant<double, std::string, ConditionValue>;

/// Finds the value of a dotted key. Throws ConfigError when there is none.
using Lookup = std::function<ExpressionValue(const std::string&)>;

/// The value of a TOML value, or of the text of a cell, in an expression.
ExpressionValue expressionValue(const std::string& text);

/// The most characters that an expression may have.
constexpr std::size_t kLongestExpression = 4096;

/// One step of evaluating an expression. It pushes a value on a stack, or works on the values on
/// top of the stack.
struct ExpressionStep {
  struct Key {
    std::string name;
  };
  using OnOne = ExpressionValue (*)(const ExpressionValue&);
  using OnTwo = ExpressionValue (*)(const ExpressionValue&, const ExpressionValue&);

  std::variant<ExpressionValue, Key, OnOne, OnTwo> what;
  std::size_t character = 1;  ///< position in the text, counted from 1
};

/// A condition over dotted keys, such as
///
///   machine.tiles * machine.sram_per_tile_bytes <= 9e8 and not workload.type == "half"
///
/// It may contain numbers, texts in quotes, true and false, + - * /, == != < <= > >=, and, or, not,
/// and parentheses. Reading and evaluating take time and memory in proportion to its length.
class Condition {
 public:
  /// Throws ConfigError of one line that begins with `where` for a text that is no condition, for
  /// more than kLongestExpression characters, and for more than kMaxNesting nested parentheses,
  /// minus signs and nots.
  Condition(std::string text, std::string where);

  /// Throws ConfigError when kinds do not match (a text times two), or as `lookup` throws.
  [[nodiscard]] ConditionValue evaluate(const Lookup& lookup) const;
  /// The condition as it was written.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::string where_;
  std::vector<ExpressionStep> steps_;
};

}  // namespace ipusim::sweep
