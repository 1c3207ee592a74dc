// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <sstream>

#include "models/ipu/engines/chip/simulate_chip.h"
#include "poplar/CycleCount.hpp"
#include "poplar/runtime/engine/engine_data.h"
#include "poplar/tests/runtime/chip_replay.h"
#include "poplar/tests/runtime/record_fixture.h"

namespace {

using namespace poplar::program;
using ipusim::models::SystemClock;
using poplar::Tensor;
using testing::HasSubstr;

INSTANTIATE_TEST_SUITE_P(Ipus, Record, testing::Values(1, 2));

TEST_P(Record, OfARunWhoseTripsAndCyclesDependOnDataPlaysOnTheChipToTheSameCycle) {
  const Tensor goes_on = left_[1].reshape({1});
  Sequence program{Repeat(3, Execute(step_)),
                   RepeatWhileTrue(Execute(step_), goes_on[0], Sequence()), Execute(step_)};
  const Tensor cycles = poplar::cycleCount(graph_, program, 2, poplar::SyncType::INTERNAL, "count");
  graph_.createHostRead("cycles", cycles);
  poplar::Engine engine(graph_, If(left_[0], program, program), {{"ipusim.record", "true"}});
  engine.loadAndRun(device_);
  const SystemClock& clock = engine.data()->loaded->clock;
  EXPECT_GT(clock.recorded().ipus.front().changes[1].size(), 3U);
  expectEqualOnTheChip(clock);
}

TEST_P(Record, HasSyncsRemoteBuffersAndStreams) {
  const auto out = graph_.addDeviceToHostFIFO("out", poplar::INT, 4);
  Sequence body{Execute(step_), Sync(poplar::SyncType::EXTERNAL), Copy(left_, out)};
  if (GetParam() > 1) {  // one gc200 alone has no streaming memory
    const poplar::RemoteBuffer rows = graph_.addRemoteBuffer("rows", poplar::INT, 4);
    body.add(Copy(numbers_, rows));
    body.add(Copy(rows, numbers_));
  }
  poplar::Engine engine(graph_, Repeat(3, body), {{"ipusim.record", "true"}});
  std::vector<int> taken(4);
  engine.connectStream("out", taken.data());
  engine.loadAndRun(device_);
  expectEqualOnTheChip(engine.data()->loaded->clock);
}

TEST_P(Record, LeavesOutTheMessagesOfStepsThatAreNotRun) {
  const Tensor moved = graph_.clone(numbers_);
  const Sequence unused{Copy(numbers_, moved), Copy(moved, left_)};
  poplar::Engine engine(graph_, Sequence(Repeat(0, unused), Copy(left_, numbers_), Execute(step_)),
                        {{"ipusim.record", "true"}});
  engine.loadAndRun(device_);
  expectEqualOnTheChip(engine.data()->loaded->clock);
}

TEST_P(Record, OfSeveralRunsIsOne) {
  poplar::Engine engine(graph_, Execute(step_), {{"ipusim.record", "true"}});
  engine.loadAndRun(device_);
  engine.resetExecutionProfile();
  engine.run();
  engine.run();
  const SystemClock& clock = engine.data()->loaded->clock;
  const ipusim::SystemPrograms system = ipusim::models::replayOf(clock.recorded(), 100);
  const ipusim::Cycles end = GetParam() == 1
                                 ? ipusim::models::simulateChip(system.chips.front()).end
                                 : overAllIpus(system, ipusim::models::simulateSystem(system)).end;
  EXPECT_EQ(end, clock.end());
}

TEST_P(Record, OfTooManyStepsIsRefused) {
  poplar::Engine engine(graph_, Repeat(3, Execute(step_)), {{"ipusim.record", "true"}});
  engine.loadAndRun(device_);
  const SystemClock& clock = engine.data()->loaded->clock;
  EXPECT_THROW(ipusim::models::replayOf(clock.recorded(), 2), ipusim::CountError);
}

TEST_P(Record, WhereAskedTheLastComputedIterationStandsForTheRest) {
  poplar::Engine all(graph_, Repeat(9, Execute(step_)));
  poplar::Engine two(graph_, Repeat(9, Execute(step_)), {{"ipusim.functionalSteps", "2"}});
  poplar::Engine twice(graph_, Repeat(2, Execute(step_)));
  for (poplar::Engine* engine : {&all, &two, &twice}) engine->loadAndRun(device_);
  EXPECT_EQ(numbersOf(two), numbersOf(twice));
  EXPECT_NE(numbersOf(two), numbersOf(all));
  // Later iterations count further down.
  EXPECT_LT(two.data()->loaded->clock.end(), all.data()->loaded->clock.end());
  EXPECT_GT(two.data()->loaded->clock.end(), twice.data()->loaded->clock.end());
  std::ostringstream text;
  two.printProfileSummary(text);
  EXPECT_THAT(text.str(), HasSubstr("7 iterations of Repeats took the time of the last one"));
}

TEST_P(Record, AWrongNumberOfFunctionalStepsIsRefused) {
  EXPECT_THROW(poplar::Engine(graph_, Execute(step_), {{"ipusim.functionalSteps", "none"}}),
               poplar::invalid_option);
}

}  // namespace
