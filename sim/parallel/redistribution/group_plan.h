// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/parallel/redistribution/device_step.h"

namespace ipusim::parallel {

/// A plan whose groups are any lists of devices, so that one step divides by several axes.
struct GroupPlan {
  std::vector<DeviceStep> steps;
  std::uint64_t received = 0;  ///< sum over the steps of what the device receives that gets most
  std::string text;            ///< "dynslice(0)x3; allpermute; allgather(0)x2"
};

/// A plan without search. Prime factors go from dimensions that are divided too often to those that
/// are divided too little. The other factors are sliced first and gathered last. One permutation
/// before the gathers puts each cell where it belongs. No device ever holds more than the larger of
/// the two types asks for, but it may receive up to three times the least volume.
GroupPlan groupPlan(const ArrayType& source, const ArrayType& target, const Mesh& mesh);

}  // namespace ipusim::parallel
