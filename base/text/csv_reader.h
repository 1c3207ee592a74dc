// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ipusim {

/// A record of a CSV file, and the line on which it begins.
struct CsvRecord {
  std::size_t line = 0;  ///< counted from 1
  std::vector<std::string> cells;
};

/// Reads the records of `text` by RFC 4180: a cell in quotes may hold commas, line ends and doubled
/// quotes; lines end in LF or CRLF. Blank lines and a byte order mark are skipped. `name` stands
/// for the file in messages. Throws ConfigError when quotes do not match, and for a cell that is no
/// UTF-8.
///
/// Boost's escaped_list_separator cannot read this format: it drops doubled quotes.
std::vector<CsvRecord> parseCsv(std::string_view text, const std::string& name);

}  // namespace ipusim
