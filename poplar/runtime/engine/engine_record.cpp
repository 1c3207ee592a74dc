// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/engine/engine_record.h"

namespace poplar::detail {

ipusim::record::RecordedProgram recordOf(const EngineData& engine) {
  const ipusim::compiler::Executable& executable = engine.executable->executable;
  ipusim::record::RecordedProgram program;
  program.ipu = engine.state().machine.name;
  if (executable.system.ipus > 1) program.system = executable.system.name;
  program.cycles = engine.loaded->clock.end();
  for (const ipusim::compiler::Step& step : executable.lowered.steps) {
    program.steps.push_back({step.name, step.kind});
  }
  program.run = engine.loaded->clock.recorded();
  return program;
}

}  // namespace poplar::detail
