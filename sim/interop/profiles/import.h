// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/text/json.h"

namespace ipusim::interop {

/// Reads the profile of a run on a real machine into a result: the object that `ipusim run --json`
/// prints, with the members that the profile fills (sim/interop/profiles/recording.h). The files
/// are the vendor's graph profile as JSON, and beside it the execution profile; or both in one
/// file; or the text of printProfileSummary. Throws ConfigError, which names the file and the place
/// in it, for whatever is none of these.
Json importProfile(const std::vector<std::filesystem::path>& files);

/// Reads the text of one such file; `name` stands for the file in messages.
Json importProfileText(std::string text, const std::string& name);

/// Reads a result: a file that `ipusim run --json` wrote, or one that importProfile() reads.
Json readResult(const std::filesystem::path& file);

/// The result as text: one line for each member and each step.
std::string resultText(const Json& result);

}  // namespace ipusim::interop
