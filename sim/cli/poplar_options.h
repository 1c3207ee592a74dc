// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/arguments.h"

namespace ipusim::cli {

/// The command `poplar` with its subcommands, and the texts that the parser fills in.
class PoplarOptions {
 public:
  /// Adds the subcommands to the command `poplar`.
  void addTo(CLI::App& poplar);

  /// The subcommand `replay`.
  [[nodiscard]] CLI::App& replay() const { return *replay_; }

  /// Takes the words behind the first `--` where the command line is one of `poplar`: they go to
  /// the compiler or the program as they are. Returns how many words are before it.
  int takeBehindDashes(int argc, const char* const* argv);

  /// What the command line said. Throws ConfigError for a wrong value.
  [[nodiscard]] PoplarArguments arguments() const;

 private:
  void addBuild();
  void addRun();
  void addReplay();
  [[nodiscard]] PoplarRunArguments runArguments() const;

  CLI::App* poplar_ = nullptr;
  CLI::App* build_ = nullptr;
  CLI::App* run_ = nullptr;
  CLI::App* replay_ = nullptr;
  std::vector<std::string> sources_;
  std::vector<std::string> behind_dashes_;
  std::optional<std::string> out_;
  std::vector<std::string> flags_;
  std::optional<std::string> machine_;
  bool virtual_clock_ = false;
  std::optional<std::string> functional_steps_;
  std::optional<std::string> profile_;
  std::optional<std::string> record_;
  std::string file_;
};

}  // namespace ipusim::cli
