// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ipusim {

/// The largest whole number of TOML.
constexpr std::uint64_t kLargestToml = INT64_MAX;

// Types of keys, as the reference of configs calls them.
inline constexpr const char* kWholeNumber = "whole number";
inline constexpr const char* kWholeNumbers = "list of whole numbers";

/// How a reader asked for a key of a config. The request keeps values instead of words, because a
/// config is read far more often than its keys are listed.
struct KeyRequest {
  using WholeRange = std::pair<std::uint64_t, std::uint64_t>;
  using RealRange = std::pair<double, double>;
  using Choices = std::vector<std::string>;
  using Range = std::variant<std::monostate, WholeRange, RealRange, Choices>;
  using Value = std::variant<std::monostate, bool, std::uint64_t, double, std::string>;

  const char* type = "";     ///< empty when a reader only looked whether the key is present
  Range range = {};          ///< none when any value of the type will do
  Value otherwise = {};      ///< the value that applies when the key is missing
  bool is_optional = false;  ///< a reader looked whether the key is present
};

/// A key that a reader asked for, in words: an entry of the reference.
struct AskedKey {
  std::string key;  ///< dotted, from the root of the config
  /// Such as "whole number"; empty when a reader only looked whether the key is present.
  std::string type;
  std::string range;  ///< such as "1 to 64" or "half, float"; empty when there is none
  std::string
      otherwise;  ///< the value that applies when the key is missing; empty when the key has none
  bool is_optional = false;
};

/// Describes the request in words.
AskedKey inWords(std::string key, const KeyRequest& request);

}  // namespace ipusim
