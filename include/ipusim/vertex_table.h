// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/machine.h"
#include "ipusim/vertex_type.h"

namespace ipusim {

/// Makes a vertex type of the vendor's library from lines of TOML that name the type and its
/// parameters, such as
///
///   vertex = "binary_op"
///   op = "add"
///   type = "float"
///   elements = 1024
///
/// `ipusim list codelets` shows the names of the types and their keys. toText() writes such lines
/// for a type of the table. `machine` supplies the defaults of keys that are left out. Throws
/// ConfigError for a key that is wrong, missing or unknown. May be called from any thread.
VertexType vertexType(const std::string& lines, const Machine& machine);

}  // namespace ipusim
