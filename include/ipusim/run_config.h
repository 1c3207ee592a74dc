// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ipusim/result.h"

// Runs of config files, as the program `ipusim run` makes them, for other languages.

namespace ipusim {

/// What a run answers, as texts.
struct ConfigRun {
  std::string json;  ///< the object that `ipusim run --json --no-advice` prints
  std::string page;  ///< the HTML page of `ipusim run --report`; empty unless it was asked for
};

enum class ReportPage : std::uint8_t { Without, With };

/// Runs a config: a path, sought as the program seeks it. Each override is "dotted.key=value". A
/// config of a GPU alone has no page. Throws ConfigError for what the user can mend; a trace is
/// such an error, because it is the program's alone. Throws std::bad_alloc for sizes that take more
/// than the memory of this computer.
///
/// Engine::SystemC may run once at a time: SystemC has one kernel per process.
ConfigRun runConfig(const std::string& path, const std::vector<std::string>& overrides = {},
                    Engine engine = Engine::ClosedForm, ReportPage page = ReportPage::Without);

}  // namespace ipusim
