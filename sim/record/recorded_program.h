// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ipusim/step_kind.h"
#include "ipusim/units.h"
#include "models/ipu/engines/closed_form/step_record.h"

namespace ipusim::record {

/// A step of the compiled program that ran.
struct RecordedStep {
  std::string name;
  StepKind kind;
};

/// What an execution record says: the programs of all tiles, and what ran of them. It needs neither
/// the program that wrote it nor the preset of its machine.
struct RecordedProgram {
  std::string ipu;                  ///< the preset of an IPU
  std::string system;               ///< whose links the IPUs have; empty for one IPU
  Cycles cycles;                    ///< that the run took by its clock
  std::vector<RecordedStep> steps;  ///< one entry per step of the programs
  models::RecordedRun run;

  [[nodiscard]] std::size_t ipus() const { return run.ipus.size(); }
  /// Needs at least one IPU, as checkRecord() says, and so does order().
  [[nodiscard]] std::size_t tilesPerIpu() const { return run.programs.chips.front().tiles.size(); }
  /// The steps in the order in which they ran.
  [[nodiscard]] const std::vector<std::uint32_t>& order() const { return run.ipus.front().order; }
};

}  // namespace ipusim::record
