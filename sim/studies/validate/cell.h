// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ipusim/error.h"

namespace ipusim::validate {

/// A cell of a measurement file, and its place.
struct Cell {
  std::string where;  ///< the place: file:line: column
  std::string text;

  /// The error "file:line: column: wanted WANTED, found "text"".
  [[nodiscard]] ConfigError error(const std::string& wanted) const;
};

/// `text` without the spaces at its ends.
std::string_view trimmed(std::string_view text);

/// The trimmed parts of `text` between separators outside quotes and brackets.
std::vector<std::string> splitOutsideBrackets(std::string_view text, char separator);

}  // namespace ipusim::validate
