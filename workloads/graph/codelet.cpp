// SPDX-License-Identifier: Apache-2.0
#include "workloads/graph/codelet.h"

namespace ipusim::workloads {

std::uint64_t Field::edges() const {
  std::uint64_t edges = 0;
  for (const EdgeGroup& group : groups) edges = checkedSum(edges, group.count);
  return edges;
}

std::uint64_t Field::elements() const {
  std::uint64_t elements = 0;
  for (const EdgeGroup& group : groups) {
    elements = checkedSum(elements, checkedProduct(group.count, group.elements));
  }
  return elements;
}

}  // namespace ipusim::workloads
