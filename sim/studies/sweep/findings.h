// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/studies/sweep/store/sweep_store.h"
#include "sim/studies/sweep/sweep.h"

namespace ipusim::sweep {

/// What the stored points say, a sentence each: up to which value of an axis they fit, and which of
/// those that fit have the least and the most of what runs are compared by. A sweep of one point,
/// and one whose points are all invalid or failed, says nothing.
std::vector<std::string> findingsOf(const Sweep& sweep, const SweepStore& store);

}  // namespace ipusim::sweep
