// SPDX-License-Identifier: Apache-2.0
#include "base/text/csv_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/files/read_file.h"
#include "base/text/message.h"
#include "ipusim/error.h"

namespace ipusim {

namespace {

class CsvParser {
 public:
  CsvParser(std::string_view text, const std::string& name) : rest_(text), name_(name) {
    if (rest_.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
      rest_.remove_prefix(kByteOrderMark.size());
    }
  }

  std::vector<CsvRecord> run() {
    std::vector<CsvRecord> records;
    while (!rest_.empty()) {
      CsvRecord record = readRecord();
      const bool blank = record.cells.size() == 1 && record.cells.front().empty();
      if (!blank) records.push_back(std::move(record));
    }
    return records;
  }

 private:
  CsvRecord readRecord() {
    CsvRecord record{line_, {}};
    do {
      const bool quoted = !rest_.empty() && rest_.front() == '"';
      column_ = record.cells.size() + 1;
      record.cells.push_back(quoted ? readQuoted() : readBare());
      if (!isUtf8(record.cells.back())) throw error("text in UTF-8", inQuotes(record.cells.back()));
    } while (skip(","));
    if (!skip("\r\n") && !skip("\n") && !rest_.empty()) {
      throw error("a comma or the line's end after the closing quote", "more text");
    }
    ++line_;
    return record;
  }

  std::string readBare() {
    const std::size_t end = std::min(rest_.find_first_of(",\n\""), rest_.size());
    if (end < rest_.size() && rest_[end] == '"') {
      throw error("quotes around the whole cell, doubled inside it", "a quote in its middle");
    }
    std::string cell(rest_.substr(0, end));
    rest_.remove_prefix(end);
    if (!rest_.empty() && rest_.front() == '\n' && !cell.empty() && cell.back() == '\r') {
      cell.pop_back();
    }
    return cell;
  }

  std::string readQuoted() {
    std::string cell;
    rest_.remove_prefix(1);
    const std::size_t begin = line_;
    for (;;) {
      const std::size_t quote = rest_.find('"');
      if (quote == std::string_view::npos) {
        line_ = begin;
        throw error("a closing quote", "the end of the file");
      }
      append(cell, rest_.substr(0, quote));
      rest_.remove_prefix(quote + 1);
      if (!skip("\"")) return cell;
      cell += '"';
    }
  }

  void append(std::string& cell, std::string_view part) {
    cell += part;
    for (const char c : part) line_ += c == '\n' ? 1 : 0;
  }

  bool skip(std::string_view what) {
    if (rest_.substr(0, what.size()) != what) return false;
    rest_.remove_prefix(what.size());
    return true;
  }

  [[nodiscard]] ConfigError error(const std::string& wanted, const std::string& found) const {
    return ConfigError(
        fmt::format("{}:{}: cell {}: wanted {}, found {}", name_, line_, column_, wanted, found));
  }

  std::string_view rest_;
  const std::string& name_;
  std::size_t line_ = 1;
  std::size_t column_ = 1;
};

}  // namespace

std::vector<CsvRecord> parseCsv(std::string_view text, const std::string& name) {
  return CsvParser(text, name).run();
}

}  // namespace ipusim
