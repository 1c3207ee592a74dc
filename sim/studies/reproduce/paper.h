// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/config/config_reader.h"
#include "sim/studies/validate/measurement.h"

// What a paper published, and which of our results belong to it.

namespace ipusim::reproduce {

/// The manifest of the paper that is reproduced unless another one is named.
inline constexpr const char* kUsualPaper = "configs/papers/butterfly.toml";

/// A sweep that figures are drawn from.
struct SweepFile {
  std::string written;  ///< the path, as the manifest has it
  std::string name;     ///< the file's name without folder and ending; no two are alike
  std::filesystem::path file;
};

/// A picture that a script draws from tables of sweeps. A figure that names no sweep is drawn from
/// the predictions of its item.
struct Figure {
  std::string name;
  std::string caption;
  std::string written;  ///< the script, as the manifest has it
  std::filesystem::path script;
  std::vector<std::size_t> sweeps;  ///< places in Paper::sweeps
  std::vector<std::string> options;
};

/// A table, a figure or a section of the paper.
struct Item {
  std::string name;
  std::string title;
  std::string text;
  std::vector<std::size_t> numbers;  ///< places in Paper::numbers
  std::vector<Figure> figures;
  std::map<std::string, std::string> misses;  ///< why a number is off, by the number's id
};

struct Paper {
  std::string manifest;  ///< the path, as the user wrote it
  std::string title;
  std::string source;
  std::string text;
  std::vector<validate::Measurement> numbers;  ///< each belongs to one item
  std::vector<SweepFile> sweeps;               ///< each sweep once, even if figures share it
  std::vector<Item> items;                     ///< in the order of the manifest
};

/// Reads a manifest: `title`, `source`, `text`, `measurements` (files of rows) and one table
/// [items.NAME] per item. Throws ConfigError for any other key, for a missing file, for a row that
/// no file has, and for a row that two items name.
Paper readPaper(const ConfigReader& config, const std::string& manifest);

/// The paper with only the named items, in the paper's order; with all items where no name is
/// given. All numbers and sweeps stay. Throws ConfigError for a name that no item has.
Paper withItems(Paper paper, const std::vector<std::string>& names);

}  // namespace ipusim::reproduce
