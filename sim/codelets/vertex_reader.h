// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/codelets/vertex_type.h"

namespace ipusim::codelets {

/// The vertex types of a unit: classes with code that derive from poplar::Vertex, MultiVertex or
/// SupervisorVertex. `ir` is a text of LLVM with debug information. They come by file, line and
/// name. Throws CompileError, with file and line, where code holds inline assembly.
std::vector<VertexType> readVertices(std::string_view ir);

}  // namespace ipusim::codelets
