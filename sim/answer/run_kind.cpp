// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/run_kind.h"

namespace ipusim::answer {

RunKind kindOf(const ConfigReader& config) {
  if (config.has("gpu")) return RunKind::Gpu;
  return config.has("parallel") ? RunKind::Parallel : RunKind::Program;
}

void expectProgram(const ConfigReader& config, const ProgramWanted& wanted) {
  switch (kindOf(config)) {
    case RunKind::Program:
      return;
    case RunKind::Parallel:
      throw config.error("parallel", wanted.in_place_of_parallel);
    case RunKind::Gpu:
      throw config.error("gpu", wanted.in_place_of_gpu);
  }
}

}  // namespace ipusim::answer
