// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/space/expression.h"

#include "tests/fuzz/inputs.h"

namespace ipusim::fuzz {

namespace {

/// The value of a key: each kind in turn, and none for some long keys.
sweep::ExpressionValue valueOf(const std::string& key) {
  switch (key.size() % 4) {
    case 0:
      return 8.0;
    case 1:
      return std::string("half");
    case 2:
      return sweep::ConditionValue{0.5};
    default:
      if (key.size() > 8) throw ConfigError("wanted a known key, found none");
      return 0.0;
  }
}

}  // namespace

void expression(std::string_view bytes) {
  expectOneLine([&] {
    const sweep::Condition condition(std::string(bytes), "fuzz");
    static_cast<void>(condition.evaluate(valueOf));
  });
  expectOneLine([&] { static_cast<void>(sweep::expressionValue(std::string(bytes))); });
}

}  // namespace ipusim::fuzz
