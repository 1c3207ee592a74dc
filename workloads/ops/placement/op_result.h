// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/graph.h"

namespace ipusim::workloads {

/// The name of an operation, and how long its result lives.
struct OpResult {
  std::string name;  ///< prefix of the names of all that the operation adds
  Lifetime lifetime = Lifetime::Temporary;
};

}  // namespace ipusim::workloads
