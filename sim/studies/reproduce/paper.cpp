// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/reproduce/paper.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/error_boundary.h"
#include "base/text/message.h"

namespace ipusim::reproduce {

using validate::Measurement;

namespace {

std::vector<std::string> idsOf(const std::vector<Measurement>& rows) {
  std::vector<std::string> ids;
  ids.reserve(rows.size());
  for (const Measurement& row : rows) ids.push_back(row.id);
  return ids;
}

/// Reads the tables of a manifest into a paper.
class ManifestReader {
 public:
  ManifestReader(const ConfigReader& config, std::string manifest) : config_(config) {
    paper_.manifest = std::move(manifest);
  }

  Paper read() {
    paper_.title = config_.text("title");
    paper_.source = config_.text("source");
    paper_.text = config_.text("text", "");
    readRows();
    const ConfigReader items = config_.table("items");
    for (const std::string& name : items.keys()) readItem(items, name);
    if (paper_.items.empty()) throw config_.error("items", "at least one item");
    config_.expectAllRead();
    return std::move(paper_);
  }

 private:
  /// The file that a text of a list names.
  [[nodiscard]] std::filesystem::path fileNamed(const ConfigReader& table, const char* key,
                                                const std::string& written) const {
    return translateErrors<ConfigError>(
        [&] { return findConfigFile(written, config_.file()); },
        [&](const ConfigError&) {
          return table.error(key, fmt::format("files that are there, not {}", inQuotes(written)));
        });
  }

  void readRows() {
    std::vector<std::filesystem::path> files;
    for (const std::string& written : config_.texts("measurements", {})) {
      files.push_back(fileNamed(config_, "measurements", written));
    }
    rows_ = validate::readMeasurements(files);
    ids_ = idsOf(rows_);
  }

  void readItem(const ConfigReader& items, const std::string& name) {
    if (!isFileName(name)) throw items.error(name, "a name of letters, digits, - and _");
    const ConfigReader table = items.table(name);
    Item item;
    item.name = name;
    item.title = table.text("title");
    item.text = table.text("text", "");
    for (const std::string& id : table.texts("rows", {})) item.numbers.push_back(take(table, id));
    if (table.has("figures")) readFigures(table.table("figures"), item);
    if (table.has("misses")) readMisses(table.table("misses"), item);
    paper_.items.push_back(std::move(item));
  }

  /// Puts a row into the paper and returns its place there.
  std::size_t take(const ConfigReader& item, const std::string& id) {
    const auto row = std::find(ids_.begin(), ids_.end(), id);
    if (row == ids_.end()) {
      throw item.error("rows", fmt::format("ids of rows in the measurements, not {}{}",
                                           inQuotes(id), didYouMean(id, ids_)));
    }
    const std::vector<std::string> taken = idsOf(paper_.numbers);
    if (std::find(taken.begin(), taken.end(), id) != taken.end()) {
      throw item.error("rows", fmt::format("each row in one item, once, not {} again", id));
    }
    paper_.numbers.push_back(rows_[static_cast<std::size_t>(row - ids_.begin())]);
    return paper_.numbers.size() - 1;
  }

  void readFigures(const ConfigReader& figures, Item& item) {
    for (const std::string& name : figures.keys()) {
      if (!isFileName(name)) throw figures.error(name, "a name of letters, digits, - and _");
      const ConfigReader table = figures.table(name);
      Figure figure;
      figure.name = name;
      figure.caption = table.text("caption");
      figure.written = table.text("plot");
      figure.script = table.path("plot");
      for (const std::string& written : table.texts("sweeps", {})) {
        figure.sweeps.push_back(sweepAt(table, written));
      }
      figure.options = table.texts("options", {});
      if (figure.sweeps.empty() && item.numbers.empty()) {
        throw table.error("sweeps", "at least one sweep, or rows of the item to draw");
      }
      item.figures.push_back(std::move(figure));
    }
  }

  std::size_t sweepAt(const ConfigReader& figure, const std::string& written) {
    const std::filesystem::path file = fileNamed(figure, "sweeps", written);
    for (std::size_t i = 0; i < paper_.sweeps.size(); ++i) {
      if (paper_.sweeps[i].file == file) return i;
    }
    const std::string name = file.stem().string();
    for (const SweepFile& sweep : paper_.sweeps) {
      if (sweep.name == name) {
        throw figure.error("sweeps", fmt::format("files of different names, not another {}", name));
      }
    }
    paper_.sweeps.push_back({written, name, file});
    return paper_.sweeps.size() - 1;
  }

  void readMisses(const ConfigReader& misses, Item& item) const {
    std::vector<std::string> ids;
    for (const std::size_t number : item.numbers) ids.push_back(paper_.numbers[number].id);
    for (const std::string& id : misses.keys()) {
      if (std::find(ids.begin(), ids.end(), id) == ids.end()) {
        throw misses.error(id, "the id of a row of the item" + didYouMean(id, ids));
      }
      item.misses[id] = misses.text(id);
    }
  }

  static bool isFileName(const std::string& name) {
    return !name.empty() &&
           name.find_first_not_of(
               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") ==
               std::string::npos;
  }

  const ConfigReader& config_;
  Paper paper_;
  std::vector<Measurement> rows_;
  std::vector<std::string> ids_;
};

}  // namespace

Paper readPaper(const ConfigReader& config, const std::string& manifest) {
  return ManifestReader(config, manifest).read();
}

Paper withItems(Paper paper, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const Item& item : paper.items) known.push_back(item.name);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw ConfigError(fmt::format("--item: wanted one of {}{}, found {}", fmt::join(known, ", "),
                                  didYouMean(name, known), inQuotes(name)));
  }
  const auto unwanted = [&names](const Item& item) {
    return !names.empty() && std::find(names.begin(), names.end(), item.name) == names.end();
  };
  paper.items.erase(std::remove_if(paper.items.begin(), paper.items.end(), unwanted),
                    paper.items.end());
  return paper;
}

}  // namespace ipusim::reproduce
