// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/summary.h"

#include "ipusim/tensor.h"

namespace ipusim::workloads {

std::uint64_t ModelSummary::count() const {
  std::uint64_t count = 0;
  for (const auto& [name, shape] : parameters) count += elementsOf(shape);
  return count;
}

}  // namespace ipusim::workloads
