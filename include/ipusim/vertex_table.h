// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/machine.h"
#include "ipusim/vertex_type.h"

namespace ipusim {

/// A vertex type of the vendor's library by the lines of TOML that name it and its parameters, e.g.
///
///   vertex = "binary_op"
///   op = "add"
///   type = "float"
///   elements = 1024
///
/// `ipusim list codelets` names the types and their keys; toText() of a type of the table writes
/// such lines. `machine` fills in what is left out. Throws ConfigError for a key that is wrong,
/// missing or unknown. May be called from any thread.
VertexType vertexType(const std::string& lines, const Machine& machine);

}  // namespace ipusim
