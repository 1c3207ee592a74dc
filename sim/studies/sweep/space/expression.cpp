// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/space/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/spirit/home/x3.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/config/toml_hazard.h"
#include "base/error_boundary.h"
#include "base/text/json.h"
#include "base/text/message.h"
#include "ipusim/error.h"

namespace ipusim::sweep {

namespace x3 = boost::spirit::x3;

namespace {

using Value = ExpressionValue;
using Iterator = std::string::const_iterator;

/// The violation of a strict comparison of equals.
constexpr double kStrictly = 1e-9;

ConditionValue condition(bool holds) {
  return {holds ? 0.0 : 1.0};
}

std::string describe(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  const auto* text = std::get_if<std::string>(&value);
  return text == nullptr ? "a condition" : inQuotes(*text);
}

template <typename Kind>
const Kind& as(const Value& value, const char* wanted) {
  if (const Kind* found = std::get_if<Kind>(&value)) return *found;
  throw ConfigError(fmt::format("wanted {}, found {}", wanted, describe(value)));
}
double numberIn(const Value& value) {
  return as<double>(value, "numbers on both sides of + - * / < <= > >=");
}
ConditionValue conditionIn(const Value& value) {
  return as<ConditionValue>(value, "conditions beside and, or, not, and as the whole");
}

Value sum(const Value& a, const Value& b) {
  return numberIn(a) + numberIn(b);
}
Value difference(const Value& a, const Value& b) {
  return numberIn(a) - numberIn(b);
}
Value product(const Value& a, const Value& b) {
  return numberIn(a) * numberIn(b);
}
Value quotient(const Value& a, const Value& b) {
  return numberIn(a) / numberIn(b);
}

/// How far `a` is above `b`. NaN counts as above every number, so that no condition on it holds.
double excess(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return 1;
  if (a <= b) return 0;
  if (std::isinf(a) || std::isinf(b)) return 1;
  return (a - b) / std::max({std::abs(a), std::abs(b), std::numeric_limits<double>::min()});
}
Value atMost(const Value& a, const Value& b) {
  return ConditionValue{excess(numberIn(a), numberIn(b))};
}
Value below(const Value& a, const Value& b) {
  const bool holds = numberIn(a) < numberIn(b);
  return ConditionValue{holds ? 0 : std::max(kStrictly, excess(numberIn(a), numberIn(b)))};
}
Value atLeast(const Value& a, const Value& b) {
  return atMost(b, a);
}
Value above(const Value& a, const Value& b) {
  return below(b, a);
}

bool areEqual(const Value& a, const Value& b) {
  if (a.index() != b.index()) {
    throw ConfigError(fmt::format("wanted values of one kind beside == and !=, found {} and {}",
                                  describe(a), describe(b)));
  }
  if (const auto* flag = std::get_if<ConditionValue>(&a))
    return flag->holds() == conditionIn(b).holds();
  if (const auto* text = std::get_if<std::string>(&a)) return *text == std::get<std::string>(b);
  return numberIn(a) == numberIn(b);
}
Value equal(const Value& a, const Value& b) {
  return condition(areEqual(a, b));
}
Value unequal(const Value& a, const Value& b) {
  return condition(!areEqual(a, b));
}
Value both(const Value& a, const Value& b) {
  return ConditionValue{conditionIn(a).violation + conditionIn(b).violation};
}
Value either(const Value& a, const Value& b) {
  return ConditionValue{std::min(conditionIn(a).violation, conditionIn(b).violation)};
}

Value negative(const Value& of) {
  return -numberIn(of);
}
Value opposite(const Value& of) {
  return condition(!conditionIn(of).holds());
}

struct Operations : x3::symbols<ExpressionStep::OnTwo> {
  Operations(std::initializer_list<std::pair<const char*, ExpressionStep::OnTwo>> operations) {
    for (const auto& [name, operation] : operations) add(name, operation);
  }
};
const Operations kProducts = {{"*", product}, {"/", quotient}};
const Operations kSums = {{"+", sum}, {"-", difference}};
const Operations kComparisons = {{"<=", atMost}, {"<", below},  {">=", atLeast},
                                 {">", above},   {"==", equal}, {"!=", unequal}};
const Operations kAnd = {{"and", both}};
const Operations kOr = {{"or", either}};

template <typename What>
void addTo(std::vector<ExpressionStep>& steps, What what, std::size_t character) {
  ExpressionStep& step = steps.emplace_back();
  step.what = std::move(what);
  step.character = character;
}

/// The steps of the text read so far. An operation waits until its right side has been read.
struct Reading {
  std::vector<ExpressionStep> steps;
  std::vector<ExpressionStep> waiting;
  std::size_t depth = 0;
  Iterator begin;
};

template <typename Context>
Reading& readingOf(Context& context) {
  return x3::get<Reading>(context).get();
}
/// The number of the last character read, counted from 1.
template <typename Context>
std::size_t characterOf(Context& context) {
  return static_cast<std::size_t>(x3::_where(context).begin() - readingOf(context).begin);
}
template <typename Context, typename What>
void addStep(Context& context, What what, std::size_t length = 1) {
  addTo(readingOf(context).steps, std::move(what), characterOf(context) + 1 - length);
}

const auto kValue = [](auto& context) { addStep(context, Value(x3::_attr(context))); };
const auto kTrue = [](auto& context) { addStep(context, Value(condition(true))); };
const auto kFalse = [](auto& context) { addStep(context, Value(condition(false))); };
const auto kExpressionKey = [](auto& context) {
  addStep(context, ExpressionStep::Key{x3::_attr(context)}, x3::_attr(context).size());
};
template <typename Context, typename Operation>
void wait(Context& context, Operation operation) {
  addTo(readingOf(context).waiting, operation, characterOf(context));
}
const auto kWait = [](auto& context) { wait(context, x3::_attr(context)); };
const auto kNegative = [](auto& context) { wait(context, &negative); };
const auto kOpposite = [](auto& context) { wait(context, &opposite); };
const auto kJoin = [](auto& context) {
  Reading& reading = readingOf(context);
  reading.steps.push_back(std::move(reading.waiting.back()));
  reading.waiting.pop_back();
};
const auto kDeeper = [](auto& context) {
  if (++readingOf(context).depth <= kMaxNesting) return;
  throw x3::expectation_failure<Iterator>(
      x3::_where(context).begin(),
      fmt::format("at most {} parentheses, minus signs and nots within each other", kMaxNesting));
};
const auto kOut = [](auto& context) { --readingOf(context).depth; };

/// An expression nested in another one.
template <typename Of>
auto within(const Of& of) {
  return x3::eps[kDeeper] > of > x3::eps[kOut];
}
/// Any number of operations that join to what stands on their left.
template <typename Operation, typename Of>
auto joined(const Operation& operation, const Of& of) {
  return operation[kWait] > of > x3::eps[kJoin];
}

// Own sets of characters, because the classes of <cctype> do not know every byte.
const std::string kSpaces = " \t\n\v\f\r";
const auto kSpace = x3::char_(kSpaces);
const auto kInKey = x3::char_("a-zA-Z0-9_.");

/// A word that no key continues.
auto word(const char* name) {
  return x3::lexeme[x3::lit(name) >> !kInKey];
}

/// Reads numbers in digits only, without nan and inf: nan would take all text in the parentheses
/// that follow it.
struct Digits : x3::real_policies<double> {
  template <typename At, typename Attribute>
  static bool parse_nan(At& /*first*/, const At& /*last*/, Attribute& /*number*/) {
    return false;
  }
  template <typename At, typename Attribute>
  static bool parse_inf(At& /*first*/, const At& /*last*/, Attribute& /*number*/) {
    return false;
  }
};
const x3::real_parser<double, Digits> kNumber;

constexpr const char* kFactor = "a number, a key, a text in quotes or (";
const x3::rule<class FactorRule> kFactorRule = kFactor;
const x3::rule<class ProductRule> kProductRule = kFactor;
const x3::rule<class SumRule> kSumRule = kFactor;
const x3::rule<class ComparisonRule> kComparisonRule = kFactor;
const x3::rule<class AndRule> kAndRule = kFactor;
const x3::rule<class OrRule> kOrRule = kFactor;

const auto kReserved = word("and") | word("or") | word("not");
const x3::rule<class KeyRule, std::string> kKeyRule = "a key";
const auto kKeyRule_def = x3::lexeme[x3::char_("a-zA-Z_") >> *kInKey];
const x3::rule<class QuotedRule, std::string> kQuotedRule = "a text in quotes";
const auto kQuotedRule_def = x3::lexeme['"' >> *(x3::char_ - '"') >> '"'];

const auto kFactorRule_def = kNumber[kValue] | kQuotedRule[kValue] | word("true")[kTrue] |
                             word("false")[kFalse] | (!kReserved >> kKeyRule)[kExpressionKey] |
                             ('(' > within(kOrRule) > ')') |
                             (x3::lit('-')[kNegative] > within(kFactorRule) > x3::eps[kJoin]);
const auto kProductRule_def = kFactorRule >> *joined(kProducts, kFactorRule);
const auto kSumRule_def = kProductRule >> *joined(kSums, kProductRule);
const auto kComparisonRule_def =
    (word("not")[kOpposite] > within(kComparisonRule) > x3::eps[kJoin]) |
    (kSumRule >> -joined(kComparisons, kSumRule));
const auto kAndRule_def = kComparisonRule >> *joined(kAnd, kComparisonRule);
const auto kOrRule_def = kAndRule >> *joined(kOr, kAndRule);

BOOST_SPIRIT_DEFINE(kKeyRule, kQuotedRule, kFactorRule, kProductRule, kSumRule, kComparisonRule,
                    kAndRule, kOrRule)

/// Runs the steps.
struct Evaluation {
  const Lookup& lookup;
  std::vector<Value> stack;

  void operator()(const Value& value) { stack.push_back(value); }
  void operator()(const ExpressionStep::Key& key) { stack.push_back(lookup(key.name)); }
  void operator()(ExpressionStep::OnOne operation) { stack.back() = operation(stack.back()); }
  void operator()(ExpressionStep::OnTwo operation) {
    const Value right = std::move(stack.back());
    stack.pop_back();
    stack.back() = operation(stack.back(), right);
  }
};

}  // namespace

ExpressionValue expressionValue(const std::string& text) {
  const auto json = SortedJson::parse(text, nullptr, false);
  if (json.is_number()) return json.get<double>();
  if (json.is_boolean()) return condition(json.get<bool>());
  if (json.is_string()) return json.get<std::string>();
  return text;
}

Condition::Condition(std::string text, std::string where)
    : text_(std::move(text)), where_(std::move(where)) {
  auto at = text_.cbegin();
  const auto fault = [&](const std::string& wanted, Iterator place) {
    const auto before = static_cast<std::size_t>(place - text_.cbegin());
    const std::size_t found = std::min(text_.find_first_not_of(kSpaces, before), text_.size());
    const std::string rest = text_.substr(found);
    return ConfigError(fmt::format("{}: wanted {}, found {} (character {})", where_, wanted,
                                   rest.empty() ? "the end" : inQuotes(rest), found + 1));
  };
  if (text_.size() > kLongestExpression) {
    throw ConfigError(fmt::format("{}: wanted at most {} characters, found {}", where_,
                                  kLongestExpression, text_.size()));
  }
  Reading reading;
  reading.begin = at;
  using Failure = x3::expectation_failure<Iterator>;
  const auto read = [&] {
    const auto whole = x3::with<Reading>(std::ref(reading))[kOrRule];
    return x3::phrase_parse(at, text_.cend(), whole, kSpace);
  };
  const bool parsed = translateErrors<Failure>(
      read, [&](const Failure& failure) { return fault(failure.which(), failure.where()); });
  if (!parsed) throw fault(kFactor, at);
  if (at != text_.cend()) throw fault("an operator or the end", at);
  steps_ = std::move(reading.steps);
}

ConditionValue Condition::evaluate(const Lookup& lookup) const {
  Evaluation evaluation{lookup, {}};
  std::size_t character = 1;
  const auto evaluated = [&] {
    for (const ExpressionStep& step : steps_) {
      character = step.character;
      std::visit(evaluation, step.what);
    }
    character = 1;
    return conditionIn(evaluation.stack.back());
  };
  return translateErrors<ConfigError>(evaluated, [&](const ConfigError& error) {
    return ConfigError(fmt::format("{}: {} (character {})", where_, error.what(), character));
  });
}

}  // namespace ipusim::sweep
