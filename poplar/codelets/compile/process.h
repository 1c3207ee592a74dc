// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace ipusim::codelets {

/// How a program of this computer ended.
struct ProcessResult {
  bool well = false;   ///< exit code 0
  std::string output;  ///< of standard output
  std::string errors;  ///< of standard error, or why the program did not start
};

/// Runs a program, which PATH finds, and waits for its end. `words` begin with its name.
ProcessResult runProgram(std::vector<std::string> words);

}  // namespace ipusim::codelets
