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

// Reads the CSV files that hold published estimates (parameters -> cycles), and holds a cost
// function against every row of one.
//
// The files are those of tests/oracle, or of the folder that the environment variable
// IPUSIM_ORACLE_DIR names: same file names and columns, other rows.

namespace ipusim::tests {

/// A row that a test cannot use. The message begins with `file:line: `.
class OracleError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One row. Cells are found by the name of their column; a list has its items between ';', and one
/// list a worker stands between '|'. A lone '-' is empty. Each getter throws OracleError where the
/// column is missing or the cell is something else.
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
  /// "true", "1" or "false", "0".
  [[nodiscard]] bool flag(std::string_view column) const;
  [[nodiscard]] Cycles cycles(std::string_view column = "cycles") const;
  [[nodiscard]] std::vector<std::uint64_t> list(std::string_view column) const;
  [[nodiscard]] std::vector<std::vector<std::uint64_t>> workers(std::string_view column) const;
  /// A list of pairs of numbers, with `between` between the two of a pair: "16x13;3x2".
  [[nodiscard]] std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs(std::string_view column,
                                                                           char between) const;
  /// The items of a list of words.
  [[nodiscard]] std::vector<std::string> words(std::string_view column) const;

  /// "fill.csv:12": the line of the file, its header being line 1.
  [[nodiscard]] std::string where() const;
  /// To throw where nobody knows what the cell of `column` names.
  [[nodiscard]] OracleError unknown(std::string_view column) const;

 private:
  [[nodiscard]] OracleError error(std::string_view column, const std::string& what) const;
  std::shared_ptr<const Header> header_;
  std::size_t line_;
  std::vector<std::string> cells_;
};

using OracleTable = std::vector<OracleRow>;

/// The rows of `in`, in order; `file` stands for it in messages. Throws OracleError for no header,
/// no rows, a column that is there twice, or a row with more or fewer cells than the header.
OracleTable parseOracle(std::istream& in, const std::string& file);

/// Where `file` is. Nothing if IPUSIM_ORACLE_DIR is set and holds other files of tests/oracle, but
/// not this one; OracleError if it holds none of them, or if tests/oracle lacks the file.
std::optional<std::filesystem::path> findOracle(const std::string& file);

/// The files whose names begin with `prefix`, sorted: all there are in the folder in use.
std::vector<std::string> findOracles(const std::string& prefix);

/// The rows of `file`. Throws OracleError if findOracle does not find it.
OracleTable readOracle(const std::string& file);

/// Runs `test` on every row of `file`; to be the last thing in a test's body. What it throws fails
/// the test with the row's place, and the next rows are still run. Skips the test, naming the file,
/// where findOracle finds nothing.
void forEachOracleRow(const std::string& file, const std::function<void(const OracleRow&)>& test);

/// Expects `cost` to give the row's `cycles`, on every row of `file`: one failure that counts the
/// rows and shows the first that differ or cannot be used. No row is left out: one that names what
/// `cost` does not know is a failure. Skips as above.
void expectOracleCycles(const std::string& file,
                        const std::function<Cycles(const OracleRow&)>& cost);

}  // namespace ipusim::tests
