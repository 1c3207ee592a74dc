// SPDX-License-Identifier: Apache-2.0
#include "sim/record/replay.h"

#include <fmt/format.h>

#include <utility>

#include "base/error_boundary.h"
#include "ipusim/error.h"
#include "models/ipu/engines/closed_form/closed_form.h"
#include "models/ipu/engines/pod/simulate_system.h"
#include "models/ipu/machine/execution_record.h"

namespace ipusim::record {

namespace {

/// Exchanges that are packed port by port have no transmissions.
void expectScheduled(const RecordedProgram& program) {
  for (const ChipPrograms& chip : program.run.programs.chips) {
    for (const TileProgram& tile : chip.tiles) {
      for (const TileOp& op : tile.ops) {
        if (op.kind != OpKind::ExchangeBound) continue;
        throw ConfigError(
            "wanted a record of scheduled exchanges, found one of a machine with exchange = "
            "\"bound\", which no chip could play: use --engine closed-form");
      }
    }
  }
}

/// `play(programs)` has the result of an engine.
template <typename Play>
Replayed played(const RecordedProgram& program, const Play& play) {
  const auto replay = [&]() -> Replayed {
    const SystemPrograms system = models::replayOf(program.run, kMostReplayedSteps);
    MeasuredSystem measured = play(system);
    std::vector<LinkUse> links = std::move(measured.links);
    return {overAllIpus(system, std::move(measured)), std::move(links)};
  };
  return translateErrors<InternalError>(replay, [](const InternalError& error) {
    return ConfigError(
        fmt::format("wanted steps that can run in this order, found {}", error.what()));
  });
}

}  // namespace

Replayed replayOnChips(const RecordedProgram& program) {
  expectScheduled(program);
  return played(program,
                [](const SystemPrograms& system) { return models::simulateSystem(system); });
}

Replayed replayByClosedForm(const RecordedProgram& program) {
  return played(program, [](const SystemPrograms& system) { return models::closedForm(system); });
}

}  // namespace ipusim::record
