// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace ipusim::fuzz {

/// Runs a program to its end, with its output in files of `folder`. Throws std::logic_error when a
/// signal ends it, when its exit code is one that no input should cause, and when standard error is
/// more than some lines of text. The program ends when this process does.
void expectTidyEnd(const std::vector<std::string>& words, const std::string& folder);

}  // namespace ipusim::fuzz
