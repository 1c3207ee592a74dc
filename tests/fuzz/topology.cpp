// SPDX-License-Identifier: Apache-2.0
#include "sim/interop/topology/topology_workload.h"
#include "tests/fuzz/inputs.h"

namespace ipusim::fuzz {

void topology(std::string_view bytes) {
  expectOneLine([&] {
    for (const interop::TopologyLayer& layer : interop::parseTopology(bytes, "fuzz")) {
      static_cast<void>(interop::networkOf(layer, 2, ElementType::Half));
    }
  });
}

}  // namespace ipusim::fuzz
