// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/explore/flatten.h"
#include "sim/run/output_folder.h"

namespace ipusim::explore {

/// A CSV file that is whole after each row. A row may bring columns that no row before it had: then
/// the file is written anew under the wider header, earlier rows with empty cells there.
class RowFile {
 public:
  /// Starts the file: the header of `columns`.
  RowFile(const run::OutputFolder& folder, std::string name, std::vector<std::string> columns);

  /// Cells of columns that are not in `row` stay empty.
  void add(const std::vector<Scalar>& row);

 private:
  [[nodiscard]] std::size_t columnOf(const std::string& path);
  void rewrite() const;

  const run::OutputFolder& folder_;
  std::string name_;
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace ipusim::explore
