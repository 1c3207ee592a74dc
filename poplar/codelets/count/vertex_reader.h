// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Module.h>

#include <vector>

#include "poplar/codelets/vertex_type.h"

namespace ipusim::codelets {

/// The vertex types of a unit: classes with code that derive from poplar::Vertex, MultiVertex or
/// SupervisorVertex. `module` has debug information. They come by file, line and name. Throws
/// CompileError, with file and line, where code holds inline assembly.
std::vector<VertexType> readVertices(const llvm::Module& module);

}  // namespace ipusim::codelets
