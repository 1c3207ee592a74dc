// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/validate/measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "base/text/csv_reader.h"
#include "base/text/message.h"
#include "sim/studies/validate/cell.h"

namespace ipusim::validate {

namespace {

constexpr const char* kFolder = "configs/measurements";

const std::vector<std::string>& columnNames() {
  static const std::vector<std::string> kNames = {"id",     "machine", "kind", "config",
                                                  "metric", "value",   "unit", "role",
                                                  "source", "locator", "note"};
  return kNames;
}

/// The cells of a record by the names in the header.
class Table {
 public:
  Table(std::string name, const std::vector<CsvRecord>& records) : name_(std::move(name)) {
    if (records.empty()) throw ConfigError(name_ + ":1: id: wanted a header, found nothing");
    for (const std::string& column : records.front().cells) addColumn(records.front(), column);
    for (const std::string& wanted : columnNames()) {
      if (find(wanted) < columns_.size()) continue;
      throw Cell{place(records.front(), wanted), ""}.error("a column of that name");
    }
  }

  /// Throws ConfigError unless the record has exactly one cell per column.
  void expectCells(const CsvRecord& record) const {
    const std::size_t found = record.cells.size();
    if (found == columns_.size()) return;
    throw ConfigError(fmt::format(
        "{}: wanted {} cells (in quotes where they hold commas), found {}",
        place(record, columns_[std::min(found, columns_.size() - 1)]), columns_.size(), found));
  }
  [[nodiscard]] Cell cell(const CsvRecord& record, const std::string& column) const {
    return {place(record, column), record.cells[find(column)]};
  }

 private:
  void addColumn(const CsvRecord& header, const std::string& column) {
    const Cell cell{place(header, oneLine(column)), column};
    const auto& known = columnNames();
    if (std::find(known.begin(), known.end(), column) == known.end()) {
      throw cell.error(
          "a column of id, machine, kind, config, metric, value, unit, role, source, "
          "locator, note" +
          didYouMean(column, known));
    }
    if (find(column) < columns_.size()) throw cell.error("each column once");
    columns_.push_back(column);
  }
  [[nodiscard]] std::size_t find(const std::string& column) const {
    return static_cast<std::size_t>(std::find(columns_.begin(), columns_.end(), column) -
                                    columns_.begin());
  }
  [[nodiscard]] std::string place(const CsvRecord& record, const std::string& column) const {
    return fmt::format("{}:{}: {}", name_, record.line, column);
  }

  std::string name_;
  std::vector<std::string> columns_;
};

/// A cell that goes into tables and JSON: one line of UTF-8.
std::string labelIn(const Cell& cell) {
  constexpr std::size_t kLongest = 200;
  if (cell.text.empty() || oneLine(cell.text, kLongest) != cell.text) {
    throw cell.error(fmt::format("one line of text, of at most {} bytes", kLongest));
  }
  return cell.text;
}

double numberIn(const Cell& cell) {
  const std::string_view text = trimmed(cell.text);
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = fault == std::errc() && end == text.data() + text.size();
  if (!whole || !std::isfinite(value) || value == 0) {
    throw cell.error("a number other than 0, such as 44219 or 1.2e6");
  }
  return value;
}

Role roleIn(const Cell& cell) {
  const std::vector<std::string> words = choicesOf(kRoleWords);
  if (std::find(words.begin(), words.end(), cell.text) == words.end()) {
    throw cell.error(
        fmt::format("one of {}{}", fmt::join(words, ", "), didYouMean(cell.text, words)));
  }
  return valueOf(cell.text, kRoleWords);
}

}  // namespace

std::vector<Measurement> readMeasurements(const std::filesystem::path& file) {
  const std::string name = oneLine(file.string(), kPathLength);
  const std::vector<CsvRecord> records = parseCsv(readConfigText(file), name);
  const Table table(name, records);
  std::vector<Measurement> measurements;
  std::set<std::string> ids;
  for (std::size_t i = 1; i < records.size(); ++i) {
    table.expectCells(records[i]);
    const auto cell = [&](const char* column) { return table.cell(records[i], column); };
    measurements.push_back({file, labelIn(cell("id")), cell("machine").text, labelIn(cell("kind")),
                            parseRunSet(cell("config")), parseMetric(cell("metric")),
                            numberIn(cell("value")), cell("unit").text, roleIn(cell("role")),
                            cell("source").text, cell("locator").text, cell("note").text});
    if (!ids.insert(measurements.back().id).second) throw cell("id").error("each id once");
  }
  return measurements;
}

std::vector<std::filesystem::path> shippedMeasurements() {
  std::vector<std::filesystem::path> files = listConfigFiles(kFolder, ".csv");
  if (files.empty()) {
    throw ConfigError(fmt::format("{}: wanted files of measurements, found none", kFolder));
  }
  return files;
}

std::vector<Measurement> readMeasurements(const std::vector<std::filesystem::path>& files) {
  std::vector<Measurement> all;
  for (const std::filesystem::path& file : files) {
    std::vector<Measurement> rows = readMeasurements(file);
    std::move(rows.begin(), rows.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace ipusim::validate
