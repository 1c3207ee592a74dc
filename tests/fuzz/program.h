// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace ipusim::fuzz {

/// Runs a program to its end; its output goes to files in `folder`. Throws std::logic_error where
/// it is ended by a signal or with a code that it never has for an input, and where standard error
/// is more than some lines of text. The program ends with this process.
void expectTidyEnd(const std::vector<std::string>& words, const std::string& folder);

}  // namespace ipusim::fuzz
