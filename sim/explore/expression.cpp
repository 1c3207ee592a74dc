// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/fusion/include/at_c.hpp>
#include <boost/spirit/home/x3.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/base/error.h"
#include "sim/base/message.h"

namespace ipusim::explore {

namespace x3 = boost::spirit::x3;

namespace {

using Value = ExpressionValue;
using Node = std::function<Value(const Lookup&)>;
using Operation = Value (*)(const Value&, const Value&);

/// What keeps a strict comparison of equals from holding.
constexpr double kStrictly = 1e-9;

Truth truth(bool holds) {
  return {holds ? 0.0 : 1.0};
}

template <typename Kind>
const Kind& as(const Value& value, const char* wanted) {
  if (const Kind* found = std::get_if<Kind>(&value)) return *found;
  throw ConfigError(std::string("wanted ") + wanted);
}
double numberIn(const Value& value) {
  return as<double>(value, "numbers on both sides of + - * / < <= > >=");
}
Truth truthIn(const Value& value) {
  return as<Truth>(value, "conditions beside and, or, not, and as the whole");
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

/// How much a is above b. No number is above every other one: a condition on it does not hold.
double excess(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return 1;
  if (a <= b) return 0;
  if (std::isinf(a) || std::isinf(b)) return 1;
  return (a - b) / std::max({std::abs(a), std::abs(b), std::numeric_limits<double>::min()});
}
Value atMost(const Value& a, const Value& b) {
  return Truth{excess(numberIn(a), numberIn(b))};
}
Value below(const Value& a, const Value& b) {
  const bool holds = numberIn(a) < numberIn(b);
  return Truth{holds ? 0 : std::max(kStrictly, excess(numberIn(a), numberIn(b)))};
}
Value atLeast(const Value& a, const Value& b) {
  return atMost(b, a);
}
Value above(const Value& a, const Value& b) {
  return below(b, a);
}

bool areEqual(const Value& a, const Value& b) {
  if (a.index() != b.index()) throw ConfigError("wanted values of one kind beside == and !=");
  if (const auto* flag = std::get_if<Truth>(&a)) return flag->holds() == truthIn(b).holds();
  if (const auto* text = std::get_if<std::string>(&a)) return *text == std::get<std::string>(b);
  return numberIn(a) == numberIn(b);
}
Value equal(const Value& a, const Value& b) {
  return truth(areEqual(a, b));
}
Value unequal(const Value& a, const Value& b) {
  return truth(!areEqual(a, b));
}
Value both(const Value& a, const Value& b) {
  return Truth{truthIn(a).violation + truthIn(b).violation};
}
Value either(const Value& a, const Value& b) {
  return Truth{std::min(truthIn(a).violation, truthIn(b).violation)};
}

template <typename Constant>
Node constant(const Constant& value) {
  return [value](const Lookup&) { return Value(value); };
}

struct Operations : x3::symbols<Operation> {
  Operations(std::initializer_list<std::pair<const char*, Operation>> operations) {
    for (const auto& [name, operation] : operations) add(name, operation);
  }
};
const Operations kProducts = {{"*", product}, {"/", quotient}};
const Operations kSums = {{"+", sum}, {"-", difference}};
const Operations kComparisons = {{"<=", atMost}, {"<", below},  {">=", atLeast},
                                 {">", above},   {"==", equal}, {"!=", unequal}};
const Operations kAnd = {{"and", both}};
const Operations kOr = {{"or", either}};

/// Joins what stands to the left with (operation, right).
const auto kJoin = [](auto& context) {
  const Operation operation = boost::fusion::at_c<0>(x3::_attr(context));
  const Node right = boost::fusion::at_c<1>(x3::_attr(context));
  const Node left = x3::_val(context);
  x3::_val(context) = [=](const Lookup& lookup) { return operation(left(lookup), right(lookup)); };
};
const auto kTake = [](auto& context) { x3::_val(context) = x3::_attr(context); };
const auto kNumber = [](auto& context) { x3::_val(context) = constant(x3::_attr(context)); };
const auto kText = [](auto& context) { x3::_val(context) = constant(x3::_attr(context)); };
const auto kKey = [](auto& context) {
  const std::string key = x3::_attr(context);
  x3::_val(context) = [key](const Lookup& lookup) { return lookup(key); };
};
const auto kTrue = [](auto& context) { x3::_val(context) = constant(truth(true)); };
const auto kFalse = [](auto& context) { x3::_val(context) = constant(truth(false)); };
const auto kNegative = [](auto& context) {
  const Node of = x3::_attr(context);
  x3::_val(context) = [of](const Lookup& lookup) { return Value(-numberIn(of(lookup))); };
};
const auto kOpposite = [](auto& context) {
  const Node of = x3::_attr(context);
  x3::_val(context) = [of](const Lookup& lookup) { return truth(!truthIn(of(lookup)).holds()); };
};

/// A word that no key goes on from.
auto word(const char* name) {
  return x3::lexeme[x3::lit(name) >> !(x3::alnum | x3::char_("_."))];
}

constexpr const char* kFactor = "a number, a key, a text in quotes or (";
const x3::rule<class FactorRule, Node> kFactorRule = kFactor;
const x3::rule<class ProductRule, Node> kProductRule = kFactor;
const x3::rule<class SumRule, Node> kSumRule = kFactor;
const x3::rule<class ComparisonRule, Node> kComparisonRule = kFactor;
const x3::rule<class AndRule, Node> kAndRule = kFactor;
const x3::rule<class OrRule, Node> kOrRule = kFactor;

const auto kReserved = word("and") | word("or") | word("not");
const x3::rule<class KeyRule, std::string> kKeyRule = "a key";
const auto kKeyRule_def = x3::lexeme[x3::char_("a-zA-Z_") >> *(x3::alnum | x3::char_("_."))];
const x3::rule<class QuotedRule, std::string> kQuotedRule = "a text in quotes";
const auto kQuotedRule_def = x3::lexeme['"' >> *(x3::char_ - '"') >> '"'];

const auto kFactorRule_def = x3::double_[kNumber] | kQuotedRule[kText] | word("true")[kTrue] |
                             word("false")[kFalse] | (!kReserved >> kKeyRule)[kKey] |
                             ('(' > kOrRule > ')')[kTake] | ('-' > kFactorRule)[kNegative];
const auto kProductRule_def = kFactorRule[kTake] >> *((kProducts > kFactorRule)[kJoin]);
const auto kSumRule_def = kProductRule[kTake] >> *((kSums > kProductRule)[kJoin]);
const auto kComparisonRule_def = (word("not") > kComparisonRule)[kOpposite] |
                                 kSumRule[kTake] >> -((kComparisons > kSumRule)[kJoin]);
const auto kAndRule_def = kComparisonRule[kTake] >> *((kAnd > kComparisonRule)[kJoin]);
const auto kOrRule_def = kAndRule[kTake] >> *((kOr > kAndRule)[kJoin]);

BOOST_SPIRIT_DEFINE(kKeyRule, kQuotedRule, kFactorRule, kProductRule, kSumRule, kComparisonRule,
                    kAndRule, kOrRule)

}  // namespace

ExpressionValue expressionValue(const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_number()) return json.get<double>();
  if (json.is_boolean()) return truth(json.get<bool>());
  if (json.is_string()) return json.get<std::string>();
  return text;
}

Condition::Condition(std::string text, std::string where)
    : text_(std::move(text)), where_(std::move(where)) {
  auto at = text_.cbegin();
  const auto fault = [&](const std::string& wanted, std::string::const_iterator place) {
    const std::string rest(place, text_.cend());
    return ConfigError(fmt::format("{}: wanted {}, found {}", where_, wanted,
                                   rest.empty() ? "the end" : inQuotes(rest)));
  };
  try {
    const bool parsed = x3::phrase_parse(at, text_.cend(), kOrRule, x3::space, root_);
    if (!parsed) throw fault(kFactor, at);
  } catch (const x3::expectation_failure<std::string::const_iterator>& failure) {
    throw fault(failure.which(), failure.where());
  }
  if (at != text_.cend()) throw fault("an operator or the end", at);
}

Truth Condition::evaluate(const Lookup& lookup) const {
  try {
    return truthIn(root_(lookup));
  } catch (const ConfigError& error) {
    throw ConfigError(fmt::format("{}: {}", where_, error.what()));
  }
}

}  // namespace ipusim::explore
