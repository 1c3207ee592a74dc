// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ipusim::report {

enum class Align : std::uint8_t { Left, Right };

struct TextColumn {
  std::size_t width = 0;  ///< in characters; 0: that of the longest cell
  Align align = Align::Right;
};

/// Spaces around the columns of a table.
struct TextSpacing {
  std::size_t indent = 2;  ///< before each row
  std::size_t gap = 0;     ///< between two columns
};

/// Rows of cells in columns, as text. A heading is a row too.
class TextTable {
 public:
  explicit TextTable(std::vector<TextColumn> columns, TextSpacing spacing = {})
      : columns_(std::move(columns)), spacing_(spacing) {}

  /// Adds a row of at most as many cells as there are columns. A cell that is longer than its
  /// column moves those right of it.
  void add(std::vector<std::string> cells);
  /// One line a row, without spaces at its end.
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] std::size_t widthOf(std::size_t column) const;

  std::vector<TextColumn> columns_;
  TextSpacing spacing_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace ipusim::report
