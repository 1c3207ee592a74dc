// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/help/config_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "base/text/message.h"
#include "ipusim/error.h"

namespace ipusim::cli {

namespace {

constexpr std::size_t kCells = 6;  // key, type, unit, default, range, meaning
constexpr std::string_view kDirective = "<!-- keys ";

bool startsWith(std::string_view text, std::string_view beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

/// A title as a word: letters, digits and single underscores.
std::string wordOf(std::string_view title) {
  std::string word;
  for (const char letter : title) {
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    } else if (!word.empty() && word.back() != '_') {
      word += '_';
    }
  }
  while (!word.empty() && word.back() == '_') word.pop_back();
  return word;
}

/// A cell without the ticks of code, and with the words of a link in place of the link.
std::string plain(std::string_view cell) {
  std::string text;
  for (std::size_t at = 0; at < cell.size(); ++at) {
    const std::size_t end = cell[at] == '[' ? cell.find("](", at) : std::string_view::npos;
    const std::size_t closed = end == std::string_view::npos ? end : cell.find(')', end);
    if (closed != std::string_view::npos) {
      text += plain(cell.substr(at + 1, end - at - 1));
      at = closed;
    } else if (cell[at] != '`') {
      text += cell[at];
    }
  }
  return text;
}

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? ""
                                    : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

/// The cells of a row as they stand. A bar inside a cell has a backslash before it.
std::vector<std::string> cellsOf(const std::string& line) {
  std::vector<std::string> cells(1);
  for (std::size_t at = 1; at < line.size(); ++at) {
    if (line[at] == '|' && line[at - 1] == '\\') {
      cells.back().back() = '|';
    } else if (line[at] == '|') {
      cells.emplace_back();
    } else {
      cells.back() += line[at];
    }
  }
  cells.pop_back();
  std::transform(cells.begin(), cells.end(), cells.begin(), trimmed);
  return cells;
}

bool isValue(const std::string& cell) {
  const bool is_code = cell.size() > 2 && cell.find('`', 1) == cell.size() - 1;
  return is_code ||
         (!cell.empty() && (cell.find_first_not_of("0123456789.e-") == std::string::npos) &&
          cell != "-") ||
         cell == "true" || cell == "false";
}

/// Reads a page line by line.
class PageReader {
 public:
  std::vector<ReferenceSection> read(std::string_view page) {
    std::istringstream lines{std::string(page)};
    for (std::string line; std::getline(lines, line);) {
      if (in_block_) {
        readBlock(line);
      } else {
        readLine(line);
      }
    }
    finish();
    return std::move(sections_);
  }

 private:
  void readBlock(const std::string& line) {
    if (startsWith(line, "```")) {
      in_block_ = false;
    } else if (is_example_) {
      section_.examples.back() += line + '\n';
    }
  }

  void readLine(const std::string& line) {
    if (startsWith(line, "#")) {
      finish();
      section_.name = wordOf(line);
    } else if (startsWith(line, kDirective)) {
      readDirective(line.substr(kDirective.size()));
    } else if (startsWith(line, "```")) {
      in_block_ = true;
      is_example_ = line == "```toml";
      if (is_example_) section_.examples.emplace_back();
    } else if (startsWith(line, "| `") && !section_.reader.empty()) {
      readRow(cellsOf(line));
    }
  }

  void readDirective(const std::string& text) {
    std::istringstream words(text);
    words >> section_.reader >> section_.prefix;
    if (section_.prefix == "root") section_.prefix.clear();
    section_.is_preset = text.find(" preset=") != std::string::npos;
  }

  void readRow(const std::vector<std::string>& cells) {
    if (cells.size() != kCells) return;
    const std::string path =
        section_.prefix.empty() ? plain(cells[0]) : section_.prefix + '.' + plain(cells[0]);
    section_.keys.push_back({path, plain(cells[1]), plain(cells[2]), plain(cells[3]),
                             plain(cells[4]), plain(cells[5]), isValue(cells[3])});
  }

  void finish() {
    if (!section_.keys.empty()) sections_.push_back(std::move(section_));
    section_ = ReferenceSection();
  }

  std::vector<ReferenceSection> sections_;
  ReferenceSection section_;
  bool in_block_ = false;
  bool is_example_ = false;
};

}  // namespace

std::vector<ReferenceSection> readReference(std::string_view page) {
  return PageReader().read(page);
}

const std::vector<ReferenceSection>& configReference() {
  static const std::vector<ReferenceSection> kSections = readReference(kConfigReference);
  return kSections;
}

std::vector<ReferenceSection> sectionsNamed(const std::string& name) {
  std::vector<ReferenceSection> found;
  std::vector<std::string> names;
  for (const ReferenceSection& section : configReference()) {
    names.push_back(section.name);
    if (section.name == name) found.push_back(section);
  }
  if (!found.empty()) return found;
  throw ConfigError(fmt::format(
      "ipusim: KIND: wanted a section of the reference of config keys (`ipusim list keys` names "
      "them), found {}{}",
      inQuotes(name), didYouMean(name, names)));
}

bool isAt(std::string_view path, std::string_view key) {
  while (true) {
    const std::string_view wanted = path.substr(0, path.find('.'));
    const std::string_view found = key.substr(0, key.find('.'));
    if (wanted != found && (wanted != "*" || found.empty())) return false;
    const bool is_last = wanted.size() == path.size();
    if (is_last != (found.size() == key.size())) return false;
    if (is_last) return true;
    path.remove_prefix(wanted.size() + 1);
    key.remove_prefix(found.size() + 1);
  }
}

std::string termsOf(const ReferenceKey& key) {
  std::string terms = key.type;
  if (key.unit != "-") terms += " in " + key.unit;
  if (key.range != "-") terms += (key.type == "one of" ? " " : ", ") + key.range;
  return terms + (key.isRequired() ? ", " : ", default: ") + key.otherwise;
}

}  // namespace ipusim::cli
