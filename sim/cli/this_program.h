// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ipusim::cli {

/// The version of the program with a hash of its file: another build of the version may compute
/// other results.
std::string thisProgram();

}  // namespace ipusim::cli
