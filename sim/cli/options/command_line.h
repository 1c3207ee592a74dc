// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ipusim/error.h"
#include "sim/cli/options/command_options.h"
#include "sim/cli/options/shared_options.h"

namespace ipusim::cli {

class PoplarOptions;

/// The commands and their options.
class CommandLine {
 public:
  CommandLine();

  /// Reads the command line. Throws ConfigError of one line for what is wrong on it.
  Arguments parse(int argc, char** argv);

 private:
  CLI::App& add(const char* name, const char* what);
  void add(const char* name, OptionsPointer (*options)(CLI::App&), const char* what);
  void addPoplar();

  /// Reads the words, without the values. Returns the text that they ask for, if any: help or the
  /// version.
  std::optional<std::string> readWords(int argc, char** argv);
  [[nodiscard]] const CLI::App* command() const;
  [[nodiscard]] ConfigError wrong(const std::string& what) const;
  [[nodiscard]] ConfigError noCommand(const CLI::App& parent,
                                      const std::vector<std::string>& rest) const;
  void expectSubcommand() const;

  CLI::App app_;
  ExplainOption explain_;
  std::vector<std::pair<const CLI::App*, OptionsPointer>> commands_;
  PoplarOptions* poplar_ = nullptr;  ///< one of the commands
};

}  // namespace ipusim::cli
