// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/config_reader.h"
#include "sim/studies/sweep/expression.h"

namespace ipusim::explore {

/// What keys are worth at a point before it is run: those that it sets, those of the run config,
/// `machine.KEY` as the preset has it or the file that it includes, and machine.total_sram_bytes.
class PointKeys {
 public:
  explicit PointKeys(const std::filesystem::path& run);

  /// None where the key has no value there. `overrides` is as the point sets them. Throws
  /// ConfigError where a preset cannot be read, and where tiles or their memory are no numbers.
  [[nodiscard]] std::optional<ExpressionValue> valueAt(const std::vector<Override>& overrides,
                                                       const std::string& key) const;
  /// The same; throws ConfigError where there is none.
  [[nodiscard]] ExpressionValue at(const std::vector<Override>& overrides,
                                   const std::string& key) const;

 private:
  using Json = nlohmann::json;

  [[nodiscard]] Json find(const std::vector<Override>& overrides, const std::string& key) const;
  [[nodiscard]] double factor(const std::vector<Override>& overrides, const std::string& key) const;
  [[nodiscard]] Json machineKey(const std::vector<Override>& overrides,
                                const std::string& key) const;
  [[nodiscard]] Json presetKey(const std::vector<Override>& choice, const std::string& key) const;

  std::filesystem::path run_;
  Json config_;
  mutable std::map<std::string, Json> machine_keys_;  ///< read before, by key and chosen preset
};

}  // namespace ipusim::explore
