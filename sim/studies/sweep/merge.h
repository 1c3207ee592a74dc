// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "sim/studies/sweep/sweep.h"
#include "sim/studies/sweep/sweep_store.h"

namespace ipusim::explore {

/// The identity of the stores in the folders. Throws ConfigError where one has none, or where they
/// are of different sweeps or made by different builds.
SweepIdentity commonIdentity(const std::vector<std::filesystem::path>& folders);

/// Throws ConfigError where points are damaged: nobody here can compute them again.
void expectWhole(const SweepStore& store);

/// Adds the points of the store in `folder`, which is to be whole, to `into`. Of a point that is in
/// both the one there stays, unless it failed.
void merge(const std::filesystem::path& folder, SweepStore& into);

}  // namespace ipusim::explore
