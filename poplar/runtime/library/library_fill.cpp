// SPDX-License-Identifier: Apache-2.0
#include "poplar/detail/library_api.hpp"
#include "poplar/runtime/graph/element_bytes.h"
#include "poplar/runtime/library/library_steps.h"
#include "workloads/ops/fill/zero.h"

namespace poplar::detail {

ProgramData* makeFill(GraphData* graph, const TensorData* tensor, double value, Text name) {
  LibrarySteps steps(*graph);
  if (tensor->elements() > 0) {
    ipusim::workloads::addFill(steps.graph(), steps.machine(),
                               {{LibrarySteps::viewOf(*tensor)}, value}, stringOf(name),
                               steps.program());
  }
  return steps.finish();
}

}  // namespace poplar::detail
