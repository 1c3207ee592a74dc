// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace ipusim::cli {

/// A script that makes bash complete commands, options, their values and keys of configs.
std::string bashCompletion(const CLI::App& app);

/// The completion for zsh, as an autoloaded function.
std::string zshCompletion(const CLI::App& app);

}  // namespace ipusim::cli
