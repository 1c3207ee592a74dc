// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/text_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "ipusim/error.h"

namespace ipusim::report {

void TextTable::add(std::vector<std::string> cells) {
  check(cells.size() <= columns_.size(), "a row has more cells than its table has columns");
  rows_.push_back(std::move(cells));
}

std::size_t TextTable::widthOf(std::size_t column) const {
  if (columns_[column].width != 0) return columns_[column].width;
  std::size_t longest = 0;
  for (const auto& cells : rows_) {
    if (column < cells.size()) longest = std::max(longest, cells[column].size());
  }
  return longest;
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < columns_.size(); ++column)
    widths.push_back(widthOf(column));
  std::string text;
  for (const auto& cells : rows_) {
    std::string row(spacing_.indent, ' ');
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (c > 0) row.append(spacing_.gap, ' ');
      row += columns_[c].align == Align::Left ? fmt::format("{:<{}}", cells[c], widths[c])
                                              : fmt::format("{:>{}}", cells[c], widths[c]);
    }
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + '\n';
  }
  return text;
}

}  // namespace ipusim::report
