// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace ipusim::cli {

/// The manual page ipusim(1), for man: every command and every option of the program.
std::string manualPage(const CLI::App& app);

}  // namespace ipusim::cli
