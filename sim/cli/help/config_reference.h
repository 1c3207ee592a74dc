// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ipusim::cli {

/// The pages of docs/reference/config, which a test holds against what the readers of configs ask
/// for.
extern const std::string_view kConfigReference;

/// A row of a table of keys, as a page has it: without marks of Markdown.
struct ReferenceKey {
  std::string path;  ///< dotted, from the root of the config; a star stands for any name
  std::string type;
  std::string unit;
  std::string otherwise;
  std::string range;
  std::string meaning;
  bool is_literal = false;  ///< the default is a value, not words

  [[nodiscard]] bool isRequired() const { return otherwise.substr(0, 8) == "required"; }
};

/// A section of a page that has keys.
struct ReferenceSection {
  std::string name;        ///< its title as a word: `codelet_amp`, `sweep_file`
  std::string reader;      ///< who reads such a config: `run`, `gpu_run`, `sweep`, ...
  std::string prefix;      ///< the table that has the keys; empty for the root
  bool is_preset = false;  ///< its examples lack the numbers of a preset
  std::vector<std::string> examples;
  std::vector<ReferenceKey> keys;
};

/// The sections of a page in their order.
std::vector<ReferenceSection> readReference(std::string_view page);

/// Those of kConfigReference.
const std::vector<ReferenceSection>& configReference();

/// The sections with that name. Throws ConfigError, which names the nearest, when there is none.
std::vector<ReferenceSection> sectionsNamed(const std::string& name);

/// True if the dotted key is the path, in which a star stands for any name.
bool isAt(std::string_view path, std::string_view key);

/// What the type, unit, default and range of a key are, in one line.
std::string termsOf(const ReferenceKey& key);

}  // namespace ipusim::cli
