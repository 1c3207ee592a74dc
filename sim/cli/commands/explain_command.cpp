// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/commands/commands.h"
#include "sim/cli/commands/config_file.h"
#include "sim/cli/help/key_listing.h"
#include "sim/cli/watch/terminal.h"

namespace ipusim::cli {

ExitCode explainCommand(const ExplainArguments& arguments) {
  std::string kind;
  if (!arguments.config.empty()) {
    const ConfigReader config = readRunConfig(arguments.config, arguments.overrides);
    if (config.isTable("workload")) {
      kind = config.table("workload").peekText("kind").value_or("");
    }
  }
  print(keyExplanation(arguments.key, kind));
  return ExitCode::Done;
}

}  // namespace ipusim::cli
