// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "sim/cli/options/arguments.h"

// The options of the commands. Each command has a class that adds its options to the command line
// and says what they were given.

namespace CLI {  // NOLINT(readability-identifier-naming): that of the library
class App;
}

namespace ipusim::cli {

/// The options of a command. They stay where they were added: the parser fills them in.
class CommandOptions {
 public:
  CommandOptions() = default;
  virtual ~CommandOptions() = default;
  CommandOptions(const CommandOptions&) = delete;
  CommandOptions& operator=(const CommandOptions&) = delete;

  /// What the command line said. Throws ConfigError of one line for a wrong value.
  [[nodiscard]] virtual Arguments arguments() const = 0;
};

using OptionsPointer = std::unique_ptr<CommandOptions>;

// Each adds the options of its command.
OptionsPointer runOptions(CLI::App& command);
OptionsPointer checkOptions(CLI::App& command);
OptionsPointer sweepOptions(CLI::App& command);
OptionsPointer exploreOptions(CLI::App& command);
OptionsPointer mergeOptions(CLI::App& command);
OptionsPointer validateOptions(CLI::App& command);
OptionsPointer calibrateOptions(CLI::App& command);
OptionsPointer reproduceOptions(CLI::App& command);
OptionsPointer traceOptions(CLI::App& command);
OptionsPointer diffOptions(CLI::App& command);
OptionsPointer redistributeOptions(CLI::App& command);
OptionsPointer listOptions(CLI::App& command);
OptionsPointer newOptions(CLI::App& command);
OptionsPointer generateOptions(CLI::App& command);

}  // namespace ipusim::cli
