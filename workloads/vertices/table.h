// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "base/config_reader.h"
#include "ipusim/vertex_type.h"

namespace ipusim::workloads {

/// A line of the table of vertex types.
struct VertexEntry {
  std::string_view name;     ///< VertexType::maker of what `read` makes
  std::string_view summary;  ///< one line, the parameters that have no default included
  /// Makes a type from its parameters, which are keys of the table. `machine` gives the value of a
  /// key that is left out where the vendor's library chooses by the machine; a type written by
  /// `toText` has every key.
  VertexType (*read)(const ConfigReader& params, const Architecture& machine);
};

/// All vertex types there are, sorted by name: `ipusim list codelets`.
const std::vector<VertexEntry>& vertexTable();

/// The type that the text at `key` of `config` names, made from the other keys.
VertexType readVertexType(const ConfigReader& config, const Architecture& machine,
                          const char* key = "vertex");

}  // namespace ipusim::workloads
