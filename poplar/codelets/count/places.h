// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ipusim::codelets {

/// Lines of several files as single numbers, which the model of the tile's compiler hands through.
/// 0 is no line.
class Places {
 public:
  std::uint32_t number(const std::string& file, std::uint32_t line) {
    const auto [entry, is_new] = numbers_.try_emplace({file, line}, 0);
    if (is_new) {
      places_.emplace_back(file, line);
      entry->second = static_cast<std::uint32_t>(places_.size());
    }
    return entry->second;
  }
  /// File and line of a number above 0.
  [[nodiscard]] const std::pair<std::string, std::uint32_t>& at(std::uint32_t number) const {
    return places_.at(number - 1);
  }

 private:
  std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> numbers_;
  std::vector<std::pair<std::string, std::uint32_t>> places_;
};

}  // namespace ipusim::codelets
