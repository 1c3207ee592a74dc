// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "poplar/codelets/codelets.h"

namespace ipusim::codelets::detail {

/// What compilation gives: plain data.
struct Module {
  std::vector<VertexType> vertices;
  std::vector<CodeBlock> blocks;
  std::vector<std::string> objects;  ///< relocatable ELF files of x32 code
};

}  // namespace ipusim::codelets::detail
