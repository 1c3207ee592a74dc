// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/cli/options/command_options.h"
#include "sim/cli/options/shared_options.h"

namespace ipusim::cli {

/// The command `poplar` with its subcommands, and the texts that the parser fills in.
class PoplarOptions final : public CommandOptions {
 public:
  /// Adds the subcommands to the command `poplar`.
  explicit PoplarOptions(CLI::App& poplar);

  /// Takes the words behind the first `--` where the command line is one of `poplar`: they go to
  /// the compiler or the program as they are. Returns how many words are before it.
  int takeBehindDashes(int argc, const char* const* argv);

  [[nodiscard]] Arguments arguments() const override;

 private:
  void addBuild();
  void addRun();
  void addReplay();
  [[nodiscard]] PoplarRunArguments runArguments() const;

  CLI::App& poplar_;
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
  EngineOption engine_;
  JsonOption json_;
  LimitOptions limits_;
};

}  // namespace ipusim::cli
