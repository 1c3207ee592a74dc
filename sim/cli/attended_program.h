// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ipusim::cli {

/// Variables of the environment that a program gets besides those of this process.
using Variables = std::vector<std::pair<std::string, std::string>>;

/// Runs a program, which PATH finds, with the streams of this process, and waits for its end.
/// `words` begin with its name. Returns its exit code, or 128 and the number of the signal that
/// ended it. An interrupt from the keyboard goes to the program; this process stays and waits.
/// Throws ConfigError where it does not start.
int attend(std::vector<std::string> words, const Variables& variables = {});

}  // namespace ipusim::cli
