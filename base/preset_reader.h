// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "base/config_reader.h"

namespace ipusim {

/// A preset, and the file beside it that its key `include` names: the constants that a calibration
/// wrote. A key stands in one of the two; an included file includes no other.
class PresetReader {
 public:
  explicit PresetReader(const ConfigReader& preset);

  [[nodiscard]] bool has(std::string_view key) const;
  /// The table that `key` stands in, the preset itself where it stands in neither.
  [[nodiscard]] const ConfigReader& holderOf(std::string_view key) const;
  /// Throws for a key of either, or of the included file, that nobody read.
  void expectAllRead() const;
  void expectIncludedRead() const;

 private:
  ConfigReader preset_;
  std::optional<ConfigReader> included_;
};

}  // namespace ipusim
