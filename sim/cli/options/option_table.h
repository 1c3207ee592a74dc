// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ipusim::cli {

/// An option or a positional of a command.
struct OptionRow {
  std::string name;  ///< as on the command line: --set, -o, CONFIG
  std::string type;  ///< the word for its value, such as DIR; empty for a flag
  std::string meaning;
  bool is_positional = false;
  bool is_required = false;

  /// The words that the value may be, where the type lists them: systemc|closed-form.
  [[nodiscard]] std::vector<std::string> choices() const;
};

/// A command, with the words that lead to it: {"trace", "info"}. The program itself has none.
struct CommandRow {
  std::vector<std::string> words;
  std::string summary;
  std::string footer;
  std::vector<OptionRow> options;        ///< --help among them
  std::vector<std::string> subcommands;  ///< the words that may follow

  /// The words with something between them.
  [[nodiscard]] std::string joined(const char* between) const;
};

/// The program and all its commands, each before those below it.
std::vector<CommandRow> optionTable(const CLI::App& app);

}  // namespace ipusim::cli
