// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/cli/options/command_options.h"
#include "sim/cli/options/shared_options.h"

namespace ipusim::cli {

/// The command `trace` with its subcommands, and the texts that the parser fills in.
class TraceOptions final : public CommandOptions {
 public:
  /// Adds the subcommands to the command `trace`.
  explicit TraceOptions(CLI::App& trace);

  [[nodiscard]] Arguments arguments() const override;

 private:
  CLI::App& add(const char* name, const char* what);
  void addFile(CLI::App& command);
  void addTraceLimits(CLI::App& command);
  void addImport();
  void addExport();
  void addDiff();
  void addOut(CLI::App& command);
  void addTransform();
  [[nodiscard]] TraceTransformArguments transformArguments() const;
  [[nodiscard]] decltype(TraceArguments::subcommand) subcommand() const;

  CLI::App& trace_;
  CLI::App* record_ = nullptr;
  CLI::App* info_ = nullptr;
  CLI::App* check_ = nullptr;
  CLI::App* import_ = nullptr;
  CLI::App* export_ = nullptr;
  CLI::App* diff_ = nullptr;
  CLI::App* transform_ = nullptr;
  std::string file_;
  std::string other_;
  std::string out_;
  std::vector<std::string> files_;
  SettingOption settings_;
  std::vector<std::string> limits_;
  std::optional<std::string> machine_;
  bool chakra_ = false;
  bool results_ = false;
  JsonOption json_;
  std::string tiles_;
  bool half_ = false;
  std::string factor_;
  std::string vertex_;
  LimitOptions host_limits_;
};

}  // namespace ipusim::cli
