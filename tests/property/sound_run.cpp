// SPDX-License-Identifier: Apache-2.0
#include "tests/property/sound_run.h"

#include <gtest/gtest.h>

#include "sim/run/check/check_experiment.h"

namespace ipusim::run {

void expectSoundRun(const ConfigReader& config, Numbers numbers) {
  const Experiment experiment = prepare(config);
  ASSERT_FALSE(outOfMemory(experiment));
  const RunResult chip = simulate(experiment, Engine::SystemC);
  const RunResult closed = simulate(experiment, Engine::ClosedForm);
  EXPECT_EQ(chip.time.cycles, closed.time.cycles);
  EXPECT_GT(chip.time.cycles, Cycles(0));
  if (chip.work.peak_fraction) {
    EXPECT_LE(*chip.work.peak_fraction, 1);
  }
  if (numbers == Numbers::Unchecked) return;
  const NumberCheck check = checkNumbers(experiment);
  EXPECT_TRUE(check.found.ok) << check.found.output << ", " << check.found.relative;
}

}  // namespace ipusim::run
