// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <istream>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ipusim/units.h"

// Reads the CSV files with published estimates (parameters -> cycles), and compares a cost function
// with every row of a file.
//
// The files are those of tests/oracle. The environment variable IPUSIM_ORACLE_DIR may name another
// folder, whose files have the same names and columns but other rows.

namespace ipusim::tests {

/// A row that a test cannot use. The message begins with `file:line: `.
class OracleError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One row. Cells are found by the name of their column. A list has its items between ';'; with one
/// list per worker, the lists stand between '|'. A lone '-' is empty. Each getter throws
/// OracleError when the column is missing or the cell has another form.
class OracleRow {
 public:
  /// What the rows of a file share.
  struct Header {
    std::string file;
    std::map<std::string, std::size_t, std::less<>> columns;
  };

  OracleRow(std::shared_ptr<const Header> header, std::size_t line, std::vector<std::string> cells);

  [[nodiscard]] bool has(std::string_view column) const;
  [[nodiscard]] const std::string& text(std::string_view column) const;
  [[nodiscard]] std::uint64_t number(std::string_view column) const;
  [[nodiscard]] double real(std::string_view column) const;
  /// Reads "true" or "1", and "false" or "0".
  [[nodiscard]] bool flag(std::string_view column) const;
  [[nodiscard]] Cycles cycles(std::string_view column = "cycles") const;
  [[nodiscard]] std::vector<std::uint64_t> list(std::string_view column) const;
  [[nodiscard]] std::vector<std::vector<std::uint64_t>> workers(std::string_view column) const;
  /// A list of pairs of numbers, such as "16x13;3x2". `between` stands between the two of a pair.
  [[nodiscard]] std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs(std::string_view column,
                                                                           char between) const;
  /// The items of a list of words.
  [[nodiscard]] std::vector<std::string> words(std::string_view column) const;

  /// The place of the row, such as "fill.csv:12". The header is line 1.
  [[nodiscard]] std::string where() const;
  /// The error for a cell of `column` with an unknown name.
  [[nodiscard]] OracleError unknown(std::string_view column) const;

 private:
  [[nodiscard]] OracleError error(std::string_view column, const std::string& what) const;
  std::shared_ptr<const Header> header_;
  std::size_t line_;
  std::vector<std::string> cells_;
};

using OracleTable = std::vector<OracleRow>;

/// The rows of `in`, in order; `file` stands for it in messages. Throws OracleError when there is
/// no header or no row, when a column is there twice, and when a row has more or fewer cells than
/// the header.
OracleTable parseOracle(std::istream& in, const std::string& file);

/// The path of `file`. Nothing when IPUSIM_ORACLE_DIR holds other files of tests/oracle, but not
/// this one. Throws OracleError when it holds none of them, or when tests/oracle lacks the file.
std::optional<std::filesystem::path> findOracle(const std::string& file);

/// The files of the folder in use whose names begin with `prefix`, sorted.
std::vector<std::string> findOracles(const std::string& prefix);

/// The rows of `file`. Throws OracleError when findOracle does not find the file.
OracleTable readOracle(const std::string& file);

/// Runs `test` on every row of `file`. It must be the last call in a test's body. An exception
/// fails the test with the place of the row, and the next rows still run. Skips the test, and names
/// the file, when findOracle finds nothing.
void forEachOracleRow(const std::string& file, const std::function<void(const OracleRow&)>& test);

/// Expects `cost` to give the row's `cycles` for every row of `file`. There is one failure, which
/// counts the rows and shows the first that differ or cannot be used. No row is left out: a row
/// with a name that `cost` does not know is a failure. Skips like forEachOracleRow.
void expectOracleCycles(const std::string& file,
                        const std::function<Cycles(const OracleRow&)>& cost);

}  // namespace ipusim::tests
