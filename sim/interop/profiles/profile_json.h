// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/text/json_reader.h"
#include "sim/interop/profiles/recording.h"

// The vendor's profiles as JSON, as its SDK up to 2.1 writes them: Engine::getGraphProfile() says
// what was compiled, and Engine::getExecutionProfile() says what ran.

namespace ipusim::interop {

/// A graph profile, and which of its programs runs which step of the recording.
struct GraphProfile {
  Recording recording;
  std::size_t compute_sets = 0;  ///< the first steps of the recording; exchanges follow
  std::vector<std::optional<std::size_t>> step_of_program;
};

/// Throws ConfigError, which names file and key, for whatever contradicts the format.
GraphProfile readGraphProfile(const JsonReader& json);

/// Adds what ran to the graph that was compiled.
void readExecutionProfile(const JsonReader& json, GraphProfile& graph);

/// Adds to `recording` the members of `json` that are not in `read`, as not held; `inside` is the
/// key of `json`.
void nameUnread(const JsonReader& json, const std::string& inside,
                const std::vector<std::string>& read, Recording& recording);

/// Counts by tile. Throws unless there is one per tile of the recorded machine, if that is known.
CountsByTile readByTile(const JsonReader& json, const Recording& recording);

}  // namespace ipusim::interop
