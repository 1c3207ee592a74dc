// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/arguments.h"

namespace ipusim::cli {

/// The command `trace` with its subcommands, and the texts that the parser fills in.
class TraceOptions {
 public:
  /// Adds the subcommands to the command `trace`.
  void addTo(CLI::App& trace);

  /// What the command line said. Throws ConfigError for a wrong value.
  [[nodiscard]] TraceArguments arguments() const;

 private:
  CLI::App& add(const char* name, const char* what);
  void addFile(CLI::App& command);
  void addTraceLimits(CLI::App& command);
  void addOverrides(CLI::App& command);
  void addImport();
  void addExport();
  void addDiff();
  void addOut(CLI::App& command);
  void addTransform();
  [[nodiscard]] TraceTransformArguments transformArguments() const;
  [[nodiscard]] decltype(TraceArguments::subcommand) subcommand() const;

  CLI::App* trace_ = nullptr;
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
  std::vector<std::string> overrides_;
  std::vector<std::string> limits_;
  std::optional<std::string> machine_;
  bool chakra_ = false;
  bool results_ = false;
  bool json_ = false;
  std::string tiles_;
  bool half_ = false;
  std::string factor_;
  std::string vertex_;
};

}  // namespace ipusim::cli
