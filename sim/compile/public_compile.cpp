// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "ipusim/compile.h"
#include "ipusim/verify.h"
#include "sim/compile/compile.h"

namespace ipusim {

ChipPrograms compile(const Graph& graph, const Machine& machine) {
  verify(graph, machine.tiles);
  return std::move(compiler::compile(graph, machine).programs.chips.front());
}

}  // namespace ipusim
