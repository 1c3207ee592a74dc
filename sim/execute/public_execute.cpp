// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "ipusim/error.h"
#include "ipusim/execute.h"
#include "ipusim/verify.h"
#include "sim/compile/compile.h"
#include "sim/execute/check.h"

namespace ipusim {

std::vector<TensorValues> execute(const Graph& graph, const Machine& machine,
                                  const HostTensors& host) {
  verify(graph, machine.tiles);
  const compiler::Executable executable = compiler::compile(graph, machine);
  const auto& tiles = executable.memory.tiles;
  for (std::size_t t = 0; t < tiles.size(); ++t) {
    if (tiles[t].bytes_over == Bytes(0)) continue;
    throw GraphError(
        fmt::format("tile {}: wanted a program that fits its memory, found {} bytes over", t,
                    tiles[t].bytes_over.value()));
  }
  return executor::outputsOf(graph, executable, host);
}

}  // namespace ipusim
