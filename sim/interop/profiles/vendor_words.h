// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "ipusim/memory_use.h"
#include "ipusim/step_kind.h"

// The vendor's words for what a result holds.

namespace ipusim::interop {

/// The category by its name in a JSON profile, such as "vertexInstanceState" or "variables".
/// Nothing for a category that this project does not count.
std::optional<MemoryCategory> categoryInProfile(const std::string& name);

/// The category by its label in the text of a summary, such as "Vertex Instances".
std::optional<MemoryCategory> categoryInSummary(const std::string& label);

/// What a step of the vendor's type does, such as "OnTileExecute" or "DoExchange".
StepKind stepKindOf(const std::string& type);

}  // namespace ipusim::interop
