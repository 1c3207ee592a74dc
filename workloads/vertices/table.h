// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "base/config/config_reader.h"
#include "ipusim/vertex_type.h"

namespace ipusim::workloads {

/// An entry of the table of vertex types.
struct VertexEntry {
  std::string_view name;     ///< the VertexType::maker of the types that `read` makes
  std::string_view summary;  ///< one line, with the parameters that have no default
  /// Makes a type from its parameters, which are keys of the table. A key may be left out where the
  /// vendor's library chooses its value by the machine; `machine` then decides. A type that
  /// `toText` wrote has every key.
  VertexType (*read)(const ConfigReader& params, const Architecture& machine);
};

/// All vertex types, sorted by name, as `ipusim list codelets` shows them.
const std::vector<VertexEntry>& vertexTable();

/// The type that the text at `key` of `config` names. Its parameters are the other keys.
VertexType readVertexType(const ConfigReader& config, const Architecture& machine,
                          const char* key = "vertex");

}  // namespace ipusim::workloads
