// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ipusim {

/// The version of these headers: MAJOR.MINOR.PATCH, as https://semver.org defines it. Before 1.0.0
/// a new minor version may break what the one before promised.
inline constexpr const char* kVersion = "0.2.0";

/// The version of the library that the program runs with. It differs from kVersion when a shared
/// library was replaced after the program was built. May be called from any thread.
const char* libraryVersion();

/// The commit that the library was built from, as `git describe` names it: with `-dirty` behind it
/// where files differed from the commit, and `unknown` where there was no commit to be found. May
/// be called from any thread.
const char* libraryCommit();

}  // namespace ipusim
