// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "poplar/codelets/codelets.h"

namespace ipusim::codelets {

/// The compiler of this computer that codelets are compiled by.
struct Clang {
  std::string path;
  std::string version;  ///< its first line about itself
};

/// The environment variable IPUSIM_CLANG, or clang-16 or clang on PATH, of the version of the LLVM
/// that this program is linked with: no other one's text may be read. Throws CompilerMissing.
const Clang& findClang();

/// What turns a source into preprocessed text: words without input and output. Throws ConfigError
/// where a flag is none of popc, or where the headers for codelets are not found.
std::vector<std::string> preprocessWords(const CompileOptions& options);

/// What turns preprocessed text into a text of LLVM that is not yet optimised.
std::vector<std::string> compileWords(const CompileOptions& options);

/// What turns an optimised text of LLVM into an object file.
std::vector<std::string> assembleWords(const CompileOptions& options);

/// The flag of the level of optimisation: popc's own where none is asked for.
std::string levelOf(const CompileOptions& options);

/// The words of a command line: quotes hold words together. For flags that come as one text.
std::vector<std::string> splitFlags(const std::string& text);

}  // namespace ipusim::codelets
