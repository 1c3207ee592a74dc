// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ipusim {

/// How a reader asked for a key of a config. Kept as values: a config is read far more often than
/// its keys are listed.
struct KeyRequest {
  using WholeRange = std::pair<std::uint64_t, std::uint64_t>;
  using RealRange = std::pair<double, double>;
  using Choices = std::vector<std::string>;
  using Range = std::variant<std::monostate, WholeRange, RealRange, Choices>;
  using Value = std::variant<std::monostate, bool, std::uint64_t, double, std::string>;

  const char* type = "";     ///< empty where a reader only looked whether the key is there
  Range range = {};          ///< none where any value of the type will do
  Value otherwise = {};      ///< what holds where the key is not there
  bool is_optional = false;  ///< a reader looked whether the key is there
};

/// A key that a reader asked for, in words: the entry of a reference.
struct AskedKey {
  std::string key;    ///< dotted, from the root of the config
  std::string type;   ///< "whole number"; empty where a reader only looked whether it is there
  std::string range;  ///< "1 to 64" or "half, float"; empty where there is none
  std::string
      otherwise;  ///< the value that holds where the key is not there; empty where none does
  bool is_optional = false;
};

/// The request in words.
AskedKey inWords(std::string key, const KeyRequest& request);

}  // namespace ipusim
