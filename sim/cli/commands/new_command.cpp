// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "base/files/write_file.h"
#include "base/text/message.h"
#include "sim/cli/commands/commands.h"
#include "sim/cli/help/config_template.h"
#include "sim/cli/watch/terminal.h"

namespace ipusim::cli {

ExitCode newCommand(const NewArguments& arguments) {
  const std::string text = configTemplate(arguments.kind);
  if (!arguments.file) {
    print(text);
    return ExitCode::Done;
  }
  // A config may be a day's work, so none is replaced.
  std::error_code unreachable;  // writeFile() says what is wrong with the place
  if (std::filesystem::is_regular_file(*arguments.file, unreachable)) {
    throw ConfigError(fmt::format("ipusim new: FILE: wanted a file that is not there yet, found {}",
                                  inQuotes(*arguments.file)));
  }
  writeFile(*arguments.file, text);
  return ExitCode::Done;
}

}  // namespace ipusim::cli
