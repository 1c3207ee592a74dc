// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "base/text/json.h"

namespace ipusim::report {

/// A list of run lengths, [count, value, count, value, ...], of `values` in their order.
/// `value_of(entry)` is a number.
template <typename Values, typename ValueOf>
Json runLengths(const Values& values, const ValueOf& value_of) {
  Json list = Json::array();
  std::uint64_t count = 0;
  std::uint64_t last = 0;
  const auto flush = [&] {
    if (count == 0) return;
    list.push_back(count);
    list.push_back(last);
  };
  for (const auto& entry : values) {
    const std::uint64_t value = value_of(entry);
    if (count > 0 && value == last) {
      ++count;
      continue;
    }
    flush();
    count = 1;
    last = value;
  }
  flush();
  return list;
}

template <typename Values>
Json runLengths(const Values& values) {
  return runLengths(values, [](std::uint64_t value) { return value; });
}

}  // namespace ipusim::report
