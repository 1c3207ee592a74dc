// SPDX-License-Identifier: Apache-2.0
#include "sim/record/replay.h"

#include <fmt/format.h>

#include "base/error_boundary.h"
#include "ipusim/chip/simulate_chip.h"
#include "ipusim/error.h"
#include "ipusim/execution_record.h"
#include "models/ipu/closed_form/closed_form.h"
#include "models/ipu/pod/simulate_pod.h"

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

/// `play(programs)` has the result of one IPU or of several.
template <typename OnOne, typename OnSeveral>
Replayed played(const RecordedProgram& program, const OnOne& on_one, const OnSeveral& on_several) {
  const auto play = [&]() -> Replayed {
    const PodPrograms pod = models::replayOf(program.run, kMostReplayedSteps);
    if (!pod.chips.front().in_pod) return {on_one(pod.chips.front()), {}};
    const PodResult result = on_several(pod);
    return {overAllIpus(pod, result), result.links};
  };
  return retold<InternalError>(play, [](const InternalError& error) {
    return ConfigError(
        fmt::format("wanted steps that can run in this order, found {}", error.what()));
  });
}

}  // namespace

Replayed replayOnChips(const RecordedProgram& program) {
  expectScheduled(program);
  return played(
      program, [](const ChipPrograms& chip) { return simulateChip(chip); },
      [](const PodPrograms& pod) { return simulatePod(pod); });
}

Replayed replayByClosedForm(const RecordedProgram& program) {
  return played(
      program, [](const ChipPrograms& chip) { return models::closedForm(chip); },
      [](const PodPrograms& pod) { return models::closedForm(pod); });
}

}  // namespace ipusim::record
