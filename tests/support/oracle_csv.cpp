// SPDX-License-Identifier: Apache-2.0
#include "tests/support/oracle_csv.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <utility>

namespace ipusim::tests {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolderVariable = "IPUSIM_ORACLE_DIR";
constexpr std::string_view kEmpty = "-";

fs::path shippedFolder() {
  return fs::path(IPUSIM_SOURCE_DIR) / "tests" / "oracle";
}

/// The pieces of `text` between separators. A text without a separator is one piece.
std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> pieces(1);
  for (const char c : text) {
    if (c == separator) {
      pieces.emplace_back();
    } else {
      pieces.back() += c;
    }
  }
  return pieces;
}

/// The cells of a line. A cell in quotes may hold commas, and no quotes.
std::vector<std::string> cellsIn(std::string_view line) {
  std::vector<std::string> cells(1);
  bool is_quoted = false;
  for (const char c : line) {
    if (c == '"') {
      is_quoted = !is_quoted;
    } else if (c == ',' && !is_quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

/// The whole of `text` as a number, or nothing.
template <typename Number>
std::optional<Number> parse(const std::string& text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || stop != end || error != std::errc()) return std::nullopt;
  return value;
}

/// Reads a line without its end, \n or \r\n. Returns false at the end of the file.
bool readLine(std::istream& in, std::string& line) {
  if (!std::getline(in, line)) return false;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return true;
}

OracleRow::Header readHeader(std::istream& in, const std::string& file) {
  OracleRow::Header header{file, {}};
  std::string line;
  if (!readLine(in, line) || line.empty()) throw OracleError(file + ":1: no header");
  for (const std::string& name : cellsIn(line)) {
    if (!header.columns.emplace(name, header.columns.size()).second) {
      throw OracleError((file + ":1: column ").append(name).append(" is there twice"));
    }
  }
  return header;
}

/// The folder that the environment variable names, if it is set and not empty.
std::optional<fs::path> namedFolder() {
  const char* const folder = std::getenv(kFolderVariable);
  if (folder == nullptr || *folder == '\0') return std::nullopt;
  return fs::path(folder);
}

bool holdsAnyShippedFile(const fs::path& folder) {
  return std::any_of(fs::directory_iterator(shippedFolder()), fs::directory_iterator(),
                     [&](const fs::directory_entry& shipped) {
                       return fs::exists(folder / shipped.path().filename());
                     });
}

}  // namespace

OracleRow::OracleRow(std::shared_ptr<const Header> header, std::size_t line,
                     std::vector<std::string> cells)
    : header_(std::move(header)), line_(line), cells_(std::move(cells)) {}

bool OracleRow::has(std::string_view column) const {
  return header_->columns.find(column) != header_->columns.end();
}

const std::string& OracleRow::text(std::string_view column) const {
  const auto found = header_->columns.find(column);
  if (found == header_->columns.end()) throw error(column, "no such column");
  return cells_[found->second];
}

std::uint64_t OracleRow::number(std::string_view column) const {
  const auto value = parse<std::uint64_t>(text(column));
  if (!value) throw error(column, "wanted a whole number, found " + text(column));
  return *value;
}

double OracleRow::real(std::string_view column) const {
  const auto value = parse<double>(text(column));
  if (!value) throw error(column, "wanted a number, found " + text(column));
  return *value;
}

bool OracleRow::flag(std::string_view column) const {
  const std::string& cell = text(column);
  if (cell == "true" || cell == "1") return true;
  if (cell == "false" || cell == "0") return false;
  throw error(column, "wanted true or false, found " + cell);
}

Cycles OracleRow::cycles(std::string_view column) const {
  return Cycles(number(column));
}

std::vector<std::uint64_t> OracleRow::list(std::string_view column) const {
  const auto lists = workers(column);
  if (lists.size() > 1) throw error(column, "wanted one list, found " + text(column));
  return lists.empty() ? std::vector<std::uint64_t>() : lists.front();
}

std::vector<std::vector<std::uint64_t>> OracleRow::workers(std::string_view column) const {
  std::vector<std::vector<std::uint64_t>> lists;
  if (text(column).empty() || text(column) == kEmpty) return lists;
  for (const std::string& worker : split(text(column), '|')) {
    auto& items = lists.emplace_back();
    if (worker.empty() || worker == kEmpty) continue;
    for (const std::string& item : split(worker, ';')) {
      const auto value = parse<std::uint64_t>(item);
      if (!value) throw error(column, "wanted whole numbers, found " + text(column));
      items.push_back(*value);
    }
  }
  return lists;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> OracleRow::pairs(std::string_view column,
                                                                      char between) const {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
  for (const std::string& word : words(column)) {
    const std::vector<std::string> two = split(word, between);
    const auto first = parse<std::uint64_t>(two.front());
    const auto second = parse<std::uint64_t>(two.back());
    if (two.size() != 2 || !first || !second) {
      throw error(column, "wanted pairs of whole numbers, found " + text(column));
    }
    pairs.emplace_back(*first, *second);
  }
  return pairs;
}

std::vector<std::string> OracleRow::words(std::string_view column) const {
  if (text(column).empty() || text(column) == kEmpty) return {};
  return split(text(column), ';');
}

std::string OracleRow::where() const {
  return header_->file + ":" + std::to_string(line_);
}

OracleError OracleRow::unknown(std::string_view column) const {
  return error(column, "unknown: " + text(column));
}

OracleError OracleRow::error(std::string_view column, const std::string& what) const {
  return OracleError(where() + ": " + std::string(column) + ": " + what);
}

OracleTable parseOracle(std::istream& in, const std::string& file) {
  const auto header = std::make_shared<const OracleRow::Header>(readHeader(in, file));
  OracleTable table;
  std::string line;
  for (std::size_t number = 2; readLine(in, line); ++number) {
    if (line.empty()) continue;
    std::vector<std::string> cells = cellsIn(line);
    if (cells.size() != header->columns.size()) {
      throw OracleError(file + ":" + std::to_string(number) + ": wanted " +
                        std::to_string(header->columns.size()) + " cells, found " +
                        std::to_string(cells.size()));
    }
    table.emplace_back(header, number, std::move(cells));
  }
  if (table.empty()) throw OracleError(file + ":1: no rows");
  return table;
}

std::optional<fs::path> findOracle(const std::string& file) {
  const auto named = namedFolder();
  const fs::path folder = named.value_or(shippedFolder());
  if (fs::exists(folder / file)) return folder / file;
  if (!named) throw OracleError(file + ": not in " + shippedFolder().string());
  if (!holdsAnyShippedFile(folder)) {
    throw OracleError(file + ": " + kFolderVariable + "=" + folder.string() +
                      " holds none of the files of " + shippedFolder().string());
  }
  return std::nullopt;
}

std::vector<std::string> findOracles(const std::string& prefix) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(namedFolder().value_or(shippedFolder()))) {
    const std::string name = entry.path().filename().string();
    if (name.rfind(prefix, 0) == 0 && entry.path().extension() == ".csv") files.push_back(name);
  }
  std::sort(files.begin(), files.end());
  return files;
}

OracleTable readOracle(const std::string& file) {
  const auto path = findOracle(file);
  if (!path) throw OracleError(file + ": not in " + namedFolder().value_or("").string());
  std::ifstream in(*path);
  if (!in) throw OracleError(path->string() + ": cannot be read");
  return parseOracle(in, file);
}

}  // namespace ipusim::tests
