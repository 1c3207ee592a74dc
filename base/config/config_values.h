// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/text/json.h"

namespace ipusim {

/// The values of a table of a config, with overrides applied. They outlive their reader and never
/// change, so that copies share them.
class ConfigValues {
 public:
  /// The values of an empty table.
  ConfigValues();
  explicit ConfigValues(SortedJson values);

  /// An object. Dates, and numbers that JSON lacks, are text.
  [[nodiscard]] const SortedJson& json() const { return *values_; }
  /// One line of JSON. Equal values have equal texts.
  [[nodiscard]] std::string text() const;

 private:
  std::shared_ptr<const SortedJson> values_;
};

}  // namespace ipusim
