// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/config_reader.h"
#include "workloads/graph/codelet.h"

namespace ipusim::workloads {

/// A vertex type that a config can name.
struct CodeletKind {
  std::string name;
  std::string summary;  ///< one line, its parameters included
  /// Reads the parameters from the table that names the codelet.
  std::function<std::shared_ptr<const Codelet>(const ConfigReader&, const models::Machine&)> make;
};

/// All codelets, sorted by name.
const std::vector<CodeletKind>& codeletKinds();

}  // namespace ipusim::workloads
