// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "sim/studies/sweep/store/sweep_store.h"
#include "sim/studies/sweep/sweep.h"

namespace ipusim::sweep {

/// The common identity of the stores in the folders. Throws ConfigError when a folder has no store,
/// or when the stores are of different sweeps or were made by different builds.
SweepIdentity commonIdentity(const std::vector<std::filesystem::path>& folders);

/// Throws ConfigError when points are damaged: nothing here can compute them again.
void expectWhole(const SweepStore& store);

/// Adds the points of the store in `folder`, which must be whole, to `into`. A point that `into`
/// has already stays, unless it failed.
void merge(const std::filesystem::path& folder, SweepStore& into);

}  // namespace ipusim::sweep
