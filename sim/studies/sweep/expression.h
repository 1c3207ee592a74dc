// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace ipusim::explore {

/// Whether a condition holds, and how far it is from that: 0 where it does. A comparison is away by
/// the difference of its sides relative to the larger one, `and` by the sum of what it joins, `or`
/// by the smaller one; what cannot be measured (==, not, a flag) is 1 away.
struct Truth {
  double violation = 0;

  [[nodiscard]] bool holds() const { return violation == 0; }
};

using ExpressionValue = std::variant<double, std::string, Truth>;

/// The value of a dotted key. Throws ConfigError where there is none.
using Lookup = std::function<ExpressionValue(const std::string&)>;

/// What a TOML value, or the text of a cell, is in an expression.
ExpressionValue expressionValue(const std::string& text);

/// Characters that an expression may have.
constexpr std::size_t kLongestExpression = 4096;

/// One step of an expression's evaluation: it puts a value on a stack, or works on the values on
/// top of it.
struct ExpressionStep {
  struct Key {
    std::string name;
  };
  using OnOne = ExpressionValue (*)(const ExpressionValue&);
  using OnTwo = ExpressionValue (*)(const ExpressionValue&, const ExpressionValue&);

  std::variant<ExpressionValue, Key, OnOne, OnTwo> what;
  std::size_t character = 1;  ///< of the text, from 1, that it stands at
};

/// A condition over dotted keys, such as
/// `machine.tiles * machine.sram_per_tile_bytes <= 9e8 and not workload.type == "half"`:
/// numbers, texts in quotes, true and false, + - * /, == != < <= > >=, and, or, not, parentheses.
/// Time and memory that reading and evaluating take grow with its length alone.
class Condition {
 public:
  /// Throws ConfigError, of one line that begins with `where`, for anything else, for more than
  /// kLongestExpression characters, and for more than kMaxNesting parentheses, minus signs and nots
  /// within each other.
  Condition(std::string text, std::string where);

  /// Throws ConfigError where kinds do not go together (a text times two), or as `lookup` does.
  [[nodiscard]] Truth evaluate(const Lookup& lookup) const;
  /// As it was written.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::string where_;
  std::vector<ExpressionStep> steps_;
};

}  // namespace ipusim::explore
