// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/summary.h"

#include "ipusim/tensor.h"

namespace ipusim::workloads {

std::uint64_t ModelSummary::count() const {
  std::uint64_t count = 0;
  for (const auto& [name, shape] : parameters) count += elementsOf(shape);
  return count;
}

double CompressionSummary::ratio() const {
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  for (const CodedTensor& tensor : tensors) {
    before += tensor.before.value();
    after += tensor.after.value();
  }
  return after == 0 ? 1 : static_cast<double>(before) / static_cast<double>(after);
}

}  // namespace ipusim::workloads
