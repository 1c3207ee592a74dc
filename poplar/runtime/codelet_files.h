// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "poplar/codelets/codelets.h"
#include "poplar/detail/target_api.hpp"

namespace poplar::detail {

/// Compiles a source file, or reads an archive that popc wrote. Throws graph_object_load_error for
/// a file that is not there, graph_program_compilation_error for code that the compiler refuses,
/// and no_environment without a compiler.
ipusim::codelets::Codelets codeletsOfFile(const std::string& path, const std::string& flags,
                                          const TargetData& target);
/// Compiles a text. Throws as codeletsOfFile() does.
ipusim::codelets::Codelets codeletsOfText(const std::string& source, const std::string& flags,
                                          const TargetData& target);

}  // namespace poplar::detail
