// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/config_reader.h"
#include "base/config/preset_folder.h"
#include "base/text/json.h"

namespace ipusim {

/// The form in which a table writes its numbers.
enum class NumberForm : std::uint8_t {
  Sourced,  ///< `{value = 4, source = "data sheet"}`, in a preset
  Plain,    ///< `4`, in a config or an override
};

/// What a message wants where a preset has no such number.
constexpr const char* kSourcedNumber = "{value = NUMBER, source = \"TEXT\"}";

/// A key, and the table that holds it.
struct ConfigPlace {
  ConfigReader table;
  std::string key;
};

/// One layer of a preset chain. A layer is either a preset or a table of a config.
///
/// A preset comes with the file that its key `include` names, which holds the constants of a
/// calibration. A key is in one of the two files; an included file includes no other. A table of a
/// config holds numbers that replace those of its base.
class PresetLayer {
 public:
  PresetLayer(ConfigReader config, NumberForm form);

  [[nodiscard]] const ConfigReader& config() const { return config_; }
  [[nodiscard]] NumberForm form() const { return form_; }
  [[nodiscard]] bool has(std::string_view key) const;
  /// The place of the number of `key`. Throws ConfigError when a number of a preset has no source
  /// or is not a table; `wanted` says how the table should look.
  [[nodiscard]] ConfigPlace numberAt(const std::string& key, const char* wanted) const;
  /// What the layer calls itself: its key `name`, or the file of a preset without one. None for a
  /// table without one, which has the name of its base. Throws ConfigError for an empty or very
  /// long name.
  [[nodiscard]] std::optional<std::string> name() const;
  /// The value of a key, without its source. None where the layer has no such key.
  [[nodiscard]] std::optional<SortedJson> valueOf(const std::string& key) const;
  /// Throws for a key that nobody read, in the included file too.
  void expectAllRead() const;

 private:
  [[nodiscard]] const ConfigReader& holderOf(std::string_view key) const;

  ConfigReader config_;
  NumberForm form_;
  std::optional<ConfigReader> included_;
};

/// A preset with all presets that it is based on: the key `base` of each names the next.
class PresetChain {
 public:
  /// The chain of what `key` of a config names: a preset, or a table on top of one such as `{base =
  /// "gc200", tiles = 100}`. Throws ConfigError when a file cannot be read, or when a chain comes
  /// back to itself.
  PresetChain(const PresetFolder& folder, const ConfigReader& config, std::string_view key);
  /// The chain of a preset that has been read.
  PresetChain(const PresetFolder& folder, const ConfigReader& preset);

  /// The layers. The preset without a base comes first. Keys of a later layer replace those of
  /// earlier ones.
  [[nodiscard]] const std::vector<PresetLayer>& layers() const { return layers_; }
  /// The value of a key in the last layer that has it.
  [[nodiscard]] std::optional<SortedJson> valueOf(const std::string& key) const;

 private:
  /// Adds the layers that `top` is based on, then the layer of `top`.
  void add(const PresetFolder& folder, const ConfigReader& top, NumberForm form);

  std::vector<PresetLayer> layers_;
};

}  // namespace ipusim
