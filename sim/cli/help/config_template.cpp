// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/help/config_template.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "base/text/message.h"
#include "ipusim/error.h"
#include "sim/cli/help/comment_lines.h"
#include "sim/cli/help/config_reference.h"
#include "sim/cli/help/preset_template.h"

namespace ipusim::cli {

namespace {

/// What runs a config of each reader. Other readers read no whole config.
const std::map<std::string, std::string>& commands() {
  static const std::map<std::string, std::string> kCommands = {
      {"run", "run FILE"},
      {"gpu_run", "run FILE"},
      {"sweep", "sweep FILE --out FOLDER"},
      {"explore", "explore FILE --out FOLDER"},
      {"redistribution", "redistribute FILE"},
      {"calibration", "calibrate FILE --dry-run"},
      {"paper", "reproduce FILE"}};
  return kCommands;
}

bool isWhole(const ReferenceSection& section) {
  return commands().count(section.reader) != 0 && !section.examples.empty() && !section.is_preset &&
         section.prefix.find('*') == std::string::npos;
}

std::string describing(const ReferenceKey& key) {
  return commentLines(fmt::format("{} ({})", key.meaning, termsOf(key)));
}

/// `key = value` as a comment; the value is the default, where that is one.
std::string offered(const ReferenceKey& key) {
  const std::string name = key.path.substr(key.path.rfind('.') + 1);
  if (key.type == "table") return fmt::format("# {} = {{}}\n", name);
  const bool is_text = key.type == "one of" || key.type == "text" || key.type == "file";
  const std::string value = key.is_literal ? key.otherwise : "...";
  return is_text ? fmt::format("# {} = \"{}\"\n", name, value)
                 : fmt::format("# {} = {}\n", name, value);
}

/// The text at `kind = ` or `codelet = ` of a workload; empty where there is none.
std::string wordAt(const std::string& example, const std::string& key) {
  const std::string begin = key + " = \"";
  const std::size_t at = example.find(begin);
  if (at == std::string::npos) return "";
  const std::size_t first = at + begin.size();
  return example.substr(first, example.find('"', first) - first);
}

/// Writes an example with comments.
class TemplateWriter {
 public:
  TemplateWriter(const ReferenceSection& section, const std::string& example) : section_(section) {
    const std::string kind = wordAt(example, "kind");
    const std::set<std::string> near = {kind, "codelet_" + wordAt(example, "codelet"), "workload",
                                        "run_config"};
    sources_.push_back(section);
    for (const ReferenceSection& one : configReference()) {
      const bool is_other_workload = one.prefix == "workload" && near.count(one.name) == 0;
      if (!is_other_workload && isReadWith(one.reader)) sources_.push_back(one);
    }
  }

  std::string write(const std::string& example) {
    std::istringstream lines(example);
    for (std::string line; std::getline(lines, line);) {
      if (in_text_) {
        in_text_ = line.find("\"\"\"") == std::string::npos;
      } else {
        beforeLine(line);
      }
      text_ += line + '\n';
    }
    leaveTable();
    if (!section_.prefix.empty() && tables_.count(section_.prefix) == 0) {
      table_ = section_.prefix;
      leaveTable();
    }
    return text_;
  }

 private:
  [[nodiscard]] bool isReadWith(const std::string& reader) const {
    return reader == section_.reader || (section_.reader == "explore" && reader == "sweep");
  }

  void beforeLine(const std::string& line) {
    if (!line.empty() && line.front() == '[') {
      leaveTable();
      table_ = line.substr(1, line.find(']') - 1);
      return;
    }
    const std::size_t equals = line.find(" = ");
    if (equals == std::string::npos || line.front() == ' ' || line.front() == '#') return;
    const std::string name = line.substr(0, equals);
    const std::string path = table_.empty() ? name : table_ + '.' + name;
    there_.insert(path);
    if (const ReferenceKey* key = keyAt(path)) text_ += describing(*key);
    const std::size_t quotes = line.find("\"\"\"");
    in_text_ = quotes != std::string::npos && line.find("\"\"\"", quotes + 3) == std::string::npos;
  }

  [[nodiscard]] const ReferenceKey* keyAt(const std::string& path) const {
    for (const ReferenceSection& section : sources_) {
      for (const ReferenceKey& key : section.keys) {
        if (isAt(key.path, path)) return &key;
      }
    }
    return nullptr;
  }

  /// Adds the keys of the section that the table lacks.
  void leaveTable() {
    const bool is_first = tables_.insert(table_).second;
    if (table_ != section_.prefix || !is_first) return;
    const std::size_t end = text_.find_last_not_of('\n');
    if (end != std::string::npos) text_.erase(end + 1);
    std::string rest;
    for (const ReferenceKey& key : section_.keys) {
      if (!isThere(key.path)) rest += describing(key) + offered(key);
    }
    text_ += '\n';
    if (!rest.empty()) text_ += "\n# Keys that may be added:\n" + rest;
    text_ += '\n';
  }

  [[nodiscard]] bool isThere(const std::string& path) const {
    return std::any_of(there_.begin(), there_.end(), [&](const std::string& one) {
      return one == path || one.rfind(path + '.', 0) == 0;
    });
  }

  const ReferenceSection& section_;
  std::vector<ReferenceSection> sources_;  // where a key is sought, in this order
  std::string text_;
  std::string table_;
  std::set<std::string> tables_;
  std::set<std::string> there_;
  bool in_text_ = false;
};

/// A search is a sweep file with one more table.
std::string exampleOf(const ReferenceSection& section) {
  if (section.reader != "explore") return section.examples.front();
  return sectionsNamed("sweep_file").front().examples.front() + '\n' + section.examples.front();
}

}  // namespace

std::vector<std::string> wholeSections() {
  std::vector<std::string> names;
  for (const ReferenceSection& section : configReference()) {
    if (isWhole(section)) names.push_back(section.name);
  }
  return names;
}

std::vector<std::string> templateNames() {
  std::vector<std::string> names = presetTemplateNames();
  for (const std::string& section : wholeSections()) {
    if (std::find(names.begin(), names.end(), section) == names.end()) names.push_back(section);
  }
  return names;
}

std::string configTemplate(const std::string& name) {
  const std::vector<std::string> names = templateNames();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw ConfigError(fmt::format("ipusim new: KIND: wanted one of {}, found {}{}",
                                  fmt::join(names, ", "), inQuotes(name), didYouMean(name, names)));
  }
  const std::vector<std::string> presets = presetTemplateNames();
  if (std::find(presets.begin(), presets.end(), name) != presets.end()) return presetTemplate(name);
  const std::vector<ReferenceSection> sections = sectionsNamed(name);
  const auto section = std::find_if(sections.begin(), sections.end(), isWhole);
  const std::string example = exampleOf(*section);
  std::string text =
      commentLines(fmt::format("Run it: ipusim {}", commands().at(section->reader))) +
      commentLines("`ipusim --explain KEY` says what a key is; an override is --set KEY=VALUE.") +
      '\n' + TemplateWriter(*section, example).write(example);
  text.erase(text.find_last_not_of('\n') + 1);
  return text + '\n';
}

}  // namespace ipusim::cli
