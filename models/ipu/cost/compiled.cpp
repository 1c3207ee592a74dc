// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/compiled.h"

namespace ipusim::models {

Cycles compiledCycles(const Architecture& machine, const CompiledLoops& loops) {
  constexpr std::uint64_t kPerThousand = 1000;
  const CompiledCode& code = machine.compiled;
  return Cycles(ceilDiv(loops.elements * code.slots_per_1000_elements, kPerThousand) +
                loops.loops * code.slots_per_loop);
}

}  // namespace ipusim::models
