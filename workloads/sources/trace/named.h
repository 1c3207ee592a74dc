// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <unordered_map>

#include "base/text/message.h"
#include "workloads/sources/trace/json_line.h"

namespace ipusim::workloads {

/// Things of one kind that the lines of a trace have named so far. A line refers to one by its
/// name or by its number in the order of the file.
template <typename Id>
class Named {
 public:
  /// `what` names the kind in messages, such as "variable".
  explicit Named(const char* what) : what_(what) {}

  void add(std::string_view name) {
    const auto [place, is_new] = numbers_.try_emplace(std::string(name), count_);
    if (!is_new) place->second = kTwice;
    ++count_;
  }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// True when a name stands for exactly one thing.
  [[nodiscard]] bool knows(std::string_view name) const {
    const auto found = numbers_.find(std::string(name));
    return found != numbers_.end() && found->second != kTwice;
  }

  /// The thing that `value`, a name or a number, refers to.
  [[nodiscard]] Id at(const JsonValue& value) const {
    if (!value.isText()) {
      if (count_ == 0) throw value.error(fmt::format("a {} of an earlier line", what_));
      return static_cast<Id>(value.whole(0, count_ - 1));
    }
    const auto found = numbers_.find(std::string(value.text()));
    if (found == numbers_.end()) {
      throw value.error(fmt::format("a {} of an earlier line{}", what_, hint(value.text())));
    }
    if (found->second == kTwice) {
      throw value.error(fmt::format("a {} by its number, for the name is there twice", what_));
    }
    return static_cast<Id>(found->second);
  }

 private:
  static constexpr std::uint64_t kTwice = ~std::uint64_t{0};

  [[nodiscard]] std::string hint(std::string_view name) const {
    constexpr std::size_t kMostCompared = 1000;
    std::vector<std::string> names;
    for (const auto& [known, number] : numbers_) {
      if (names.size() < kMostCompared) names.push_back(known);
    }
    std::sort(names.begin(), names.end());
    return didYouMean(name, names);
  }

  const char* what_;
  std::unordered_map<std::string, std::uint64_t> numbers_;
  std::uint64_t count_ = 0;
};

}  // namespace ipusim::workloads
