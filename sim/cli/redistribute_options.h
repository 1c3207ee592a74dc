// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "sim/cli/arguments.h"

namespace ipusim::cli {

/// The command `redistribute`, and the texts that the parser fills in.
class RedistributeOptions {
 public:
  void addTo(CLI::App& app);

  [[nodiscard]] bool parsed() const { return redistribute_->parsed(); }
  /// What the command line said. Throws ConfigError for a wrong value.
  [[nodiscard]] RedistributeArguments arguments() const;

 private:
  CLI::App* redistribute_ = nullptr;
  std::string config_;
  std::vector<std::string> overrides_;
  bool check_ = false;
  bool json_ = false;
};

}  // namespace ipusim::cli
