// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/row_file.h"

#include <algorithm>
#include <utility>

#include "sim/run/csv.h"

namespace ipusim::explore {

RowFile::RowFile(const run::OutputFolder& folder, std::string name,
                 std::vector<std::string> columns)
    : folder_(folder), name_(std::move(name)), columns_(std::move(columns)) {
  rewrite();
}

void RowFile::add(const std::vector<Scalar>& row) {
  const std::size_t columns_before = columns_.size();
  std::vector<std::string> cells(columns_before);
  for (const Scalar& scalar : row) {
    const std::size_t column = columnOf(scalar.path);
    if (column >= cells.size()) cells.resize(column + 1);
    cells[column] = scalar.text;
  }
  rows_.push_back(std::move(cells));
  if (columns_.size() > columns_before) {
    rewrite();
  } else {
    folder_.append(name_, run::csvLine(rows_.back()));
  }
}

std::size_t RowFile::columnOf(const std::string& path) {
  const auto found = std::find(columns_.begin(), columns_.end(), path);
  const auto column = static_cast<std::size_t>(found - columns_.begin());
  if (found == columns_.end()) columns_.push_back(path);
  return column;
}

void RowFile::rewrite() const {
  std::string text = run::csvLine(columns_);
  for (std::vector<std::string> cells : rows_) {
    cells.resize(columns_.size());
    text += run::csvLine(cells);
  }
  folder_.write(name_, text);
}

}  // namespace ipusim::explore
