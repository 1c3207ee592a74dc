// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace ipusim::codelets {

/// What popc was asked for.
struct PopcRequest {
  std::vector<std::string> inputs;  ///< sources, and archives to add
  std::string output = "a.gp";
  std::vector<std::string> flags;  ///< of the compiler, among them those of the target
};

/// Reads the words after the name of the program. Throws ConfigError where one is not known here.
PopcRequest readPopcWords(const std::vector<std::string>& words);

/// Compiles the sources and writes them, with the archives, as one archive. Throws ConfigError.
void runPopc(const PopcRequest& request);

}  // namespace ipusim::codelets
