// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/config/config_reader.h"
#include "base/text/json.h"
#include "sim/studies/sweep/space/expression.h"

namespace ipusim::sweep {

/// The values of keys at a point before it is run: keys that the point sets, keys of the run
/// config, `machine.KEY` of the preset or of the file that it includes, and
/// machine.total_sram_bytes.
class PointKeys {
 public:
  explicit PointKeys(const ConfigReader& run);

  /// The value of a key, or none; `overrides` are the axes of the point. Throws ConfigError when a
  /// preset cannot be read, and when the tiles or their memory are not numbers.
  [[nodiscard]] std::optional<ExpressionValue> valueAt(const std::vector<Override>& overrides,
                                                       const std::string& key) const;
  /// The value of a key; throws ConfigError when there is none.
  [[nodiscard]] ExpressionValue at(const std::vector<Override>& overrides,
                                   const std::string& key) const;

 private:
  [[nodiscard]] SortedJson find(const std::vector<Override>& overrides,
                                const std::string& key) const;
  [[nodiscard]] double factor(const std::vector<Override>& overrides, const std::string& key) const;
  [[nodiscard]] SortedJson machineKey(const std::vector<Override>& overrides,
                                      const std::string& key) const;
  [[nodiscard]] SortedJson presetKey(const std::vector<Override>& choice,
                                     const std::string& key) const;

  ConfigReader run_;
  ConfigValues config_;
  /// Values read before, by key and chosen preset.
  mutable std::map<std::string, SortedJson> machine_keys_;
};

}  // namespace ipusim::sweep
