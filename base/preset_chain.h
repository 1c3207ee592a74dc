// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/config_reader.h"
#include "base/preset_folder.h"

namespace ipusim {

/// How a table writes its numbers.
enum class NumberForm : std::uint8_t {
  Sourced,  ///< `{value = 4, source = "data sheet"}`, in a preset
  Plain,    ///< `4`, in a config or an override
};

/// A table, and a key in it.
struct ConfigPlace {
  ConfigReader table;
  std::string key;
};

/// A preset, and the file beside it that its key `include` names: the constants that a calibration
/// wrote. A key stands in one of the two; an included file includes no other. Or the table of a
/// config whose numbers replace those of its base.
class PresetLayer {
 public:
  PresetLayer(ConfigReader config, NumberForm form);

  [[nodiscard]] const ConfigReader& config() const { return config_; }
  [[nodiscard]] NumberForm form() const { return form_; }
  [[nodiscard]] bool has(std::string_view key) const;
  /// Where the number of a key stands. Throws ConfigError where a preset's number is no table, of
  /// which `wanted` says what it looks like, or has no source.
  [[nodiscard]] ConfigPlace numberAt(const std::string& key, const char* wanted) const;
  /// The value of a key, with its source or without, as JSON. None where the layer has none.
  [[nodiscard]] std::optional<std::string> valueOf(const std::string& key) const;
  /// Throws for a key, of the included file too, that nobody read.
  void expectAllRead() const;

 private:
  [[nodiscard]] const ConfigReader& holderOf(std::string_view key) const;

  ConfigReader config_;
  NumberForm form_;
  std::optional<ConfigReader> included_;
};

/// A preset and all those that it is based on: each names the next one by its key `base`.
class PresetChain {
 public:
  /// What `key` of a config names: a preset, or a table `{base = "gc200", tiles = 100}` on top of
  /// one. Throws ConfigError where a file cannot be read, and where a chain comes back to itself.
  PresetChain(const PresetFolder& folder, const ConfigReader& config, std::string_view key);
  /// A preset that is open already.
  PresetChain(const PresetFolder& folder, const ConfigReader& preset);

  /// The preset without a base comes first. A later layer's keys replace those of earlier ones.
  [[nodiscard]] const std::vector<PresetLayer>& layers() const { return layers_; }
  /// The value of a key in the last layer that has it, as JSON.
  [[nodiscard]] std::optional<std::string> valueOf(const std::string& key) const;

 private:
  /// Adds the layer of `top` after those that it is based on.
  void add(const PresetFolder& folder, const ConfigReader& top, NumberForm form);

  std::vector<PresetLayer> layers_;
};

}  // namespace ipusim
