// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/pipeline/phase.h"

#include <gtest/gtest.h>

#include <random>

namespace ipusim::parallel {
namespace {

constexpr double kMicro = 1e-6;
constexpr double kExact = 1e-15;

/// A clock of 1 GHz, and transfers of 1 us and 1 ns per byte.
PhaseIo ioOf(IoSchedule schedule) {
  PhaseIo io;
  io.micro_batches = 4;
  io.clock_hz = 1e9;
  io.rate = {kMicro, 1e9};
  io.schedule = schedule;
  return io;
}

/// With 80 bytes per ns between I/O tiles and the others.
PhaseIo overlapped() {
  PhaseIo io = ioOf(IoSchedule::Preload);
  io.io_tile_bytes_per_second = 80e9;
  return io;
}

/// Computes 10 us. A row is loaded in 4 us and stored in 3 us; weights take 21 us, state 11 us, and
/// both of them 31 us on the way back. The update takes 5 us, and the sum over replicas 7 us.
Phase phaseOf(PhaseKind kind) {
  Phase phase;
  phase.kind = kind;
  phase.batch = {Cycles(10'000)};
  phase.rows = {Bytes(3'000), Bytes(2'000)};
  phase.weights = Bytes(20'000);
  if (kind == PhaseKind::Forward) return phase;
  phase.update = {Cycles(5'000)};
  phase.gradients = {7 * kMicro, kMicro};
  phase.state = Bytes(10'000);
  phase.updated = Bytes(30'000);
  return phase;
}

std::vector<double> microseconds(const std::vector<PhaseCost>& costs) {
  std::vector<double> totals;
  totals.reserve(costs.size());
  for (const PhaseCost& cost : costs) totals.push_back(cost.total() / kMicro);
  return totals;
}

double totalOf(const std::vector<Phase>& phases, const PhaseIo& io) {
  double total = 0;
  for (const PhaseCost& cost : phaseCosts(phases, io)) total += cost.total();
  return total;
}

Transfers movedBy(const std::vector<Phase>& phases, const PhaseIo& io) {
  Transfers sum;
  for (const PhaseCost& cost : phaseCosts(phases, io)) {
    sum.load += cost.moved.load;
    sum.store += cost.moved.store;
  }
  return sum;
}

const std::vector<Phase> kThree = {phaseOf(PhaseKind::Forward), phaseOf(PhaseKind::Turn),
                                   phaseOf(PhaseKind::Backward)};

}  // namespace

TEST(PhaseCosts, OnDemandIsASum) {
  const std::vector<Phase> phases = {phaseOf(PhaseKind::Turn)};
  const PhaseCost cost = phaseCosts(phases, ioOf(IoSchedule::OnDemand)).front();
  EXPECT_NEAR(cost.compute, 40 * kMicro, kExact);
  EXPECT_NEAR(cost.update, 5 * kMicro, kExact);
  EXPECT_NEAR(cost.collectives, 7 * kMicro, kExact);
  EXPECT_NEAR(cost.load, (4 * 4 + 21 + 11) * kMicro, kExact);
  EXPECT_NEAR(cost.store, (4 * 3 + 31) * kMicro, kExact);
  EXPECT_EQ(cost.hidden, 0);
  EXPECT_EQ(cost.hand_over, 0);
  EXPECT_NEAR(cost.total(), (40 + 5 + 7 + 48 + 43) * kMicro, kExact);
}

/// Rows of 7 us hide behind 10 us of computing, but for the first load and the last store.
TEST(PhaseCosts, OverlapHidesRowsBehindLongerComputing) {
  const std::vector<Phase> phases = {phaseOf(PhaseKind::Turn)};
  const PhaseCost cost = phaseCosts(phases, overlapped()).front();
  EXPECT_NEAR(cost.hidden, 3 * 7 * kMicro, kExact);
  EXPECT_NEAR(cost.hand_over, (4 * 5'000 + 60'000) / 80e9, kExact);
  const double alone = 4 + 3 + 21 + 11 + 31;
  EXPECT_NEAR(cost.total(), (40 + 5 + 7 + alone + 1) * kMicro, kExact);
}

/// Computing of 5 us is shorter than a load and a store, and longer than one of them.
TEST(PhaseCosts, RowsLongerThanComputingAreTheTimeOfAMicroBatch) {
  Phase phase = phaseOf(PhaseKind::Turn);
  phase.batch = {Cycles(5'000)};
  const PhaseCost cost = phaseCosts({phase}, overlapped()).front();
  const double loop = 4 + 5 + 2 * 7 + 5 + 3;
  EXPECT_NEAR(cost.total(), (loop + 5 + 7 + 21 + 11 + 31 + 1) * kMicro, kExact);
}

TEST(PhaseCosts, OneMicroBatchHidesNoRow) {
  PhaseIo io = overlapped();
  io.micro_batches = 1;
  const PhaseCost cost = phaseCosts({phaseOf(PhaseKind::Turn)}, io).front();
  EXPECT_EQ(cost.hidden, 0);
  EXPECT_NEAR(cost.load + cost.store, (4 + 3 + 21 + 11 + 31) * kMicro, kExact);
}

/// Rows leave 40 - 21 us of the computing free, and the update is free. Weights and state of the
/// next phase take 31 us beside it, and so do those that go back after the phase before.
TEST(PhaseCosts, ParametersMoveBesideTheNeighbours) {
  const std::vector<PhaseCost> costs = phaseCosts(kThree, overlapped());
  const double rows = 4 + 40 + 3;
  const double forward = rows + 21 + (31 - 19) + (4 * 5 + 20) / 80.0;
  // Phase 1 stores nothing of phase 0, which only reads its weights.
  const double turn = rows + 5 + 7 + (31 - 19 - 5) + 1;
  const double backward = rows + 5 + 7 + 31 + (31 - 19 - 5) + 1;
  const std::vector<double> found = microseconds(costs);
  EXPECT_NEAR(found[0], forward, 1e-9);
  EXPECT_NEAR(found[1], turn, 1e-9);
  EXPECT_NEAR(found[2], backward, 1e-9);
}

/// Without I/O tiles the rows stand in line. Parameters move on the IPU that does not compute, and
/// so do the rows that it gets: 8 us for 7,000 bytes.
TEST(PhaseCosts, TheOtherIpuLoadsWhileOneComputes) {
  PhaseIo io = ioOf(IoSchedule::Preload);
  io.ipus = 2;
  std::vector<Phase> phases = kThree;
  phases[0].row_link = {2 * kMicro, kMicro};
  phases[0].sent = Bytes(7'000);
  const std::vector<PhaseCost> costs = phaseCosts(phases, io);
  const double rows = 4 * (4 + 10 + 3);
  EXPECT_NEAR(costs[0].rows, 8 * kMicro, kExact);
  EXPECT_NEAR(costs[0].hidden, (31 + 4 * 8) * kMicro, kExact);
  EXPECT_NEAR(costs[0].total(), (rows + 8 + 21) * kMicro, kExact);
  EXPECT_NEAR(costs[1].total(), (rows + 5 + 7) * kMicro, kExact);
  phases[0].sent = Bytes(70'000);  // 71 us for each of four rows
  EXPECT_NEAR(phaseCosts(phases, io)[0].total(), (31 + 4 * 71) * kMicro, kExact);
}

TEST(PhaseCosts, MoveEqualBytesOnAnySchedule) {
  const Transfers on_demand = movedBy(kThree, ioOf(IoSchedule::OnDemand));
  EXPECT_EQ(on_demand.load, Bytes(3 * 4 * 3'000 + 3 * 20'000 + 2 * 10'000));
  EXPECT_EQ(on_demand.store, Bytes(3 * 4 * 2'000 + 2 * 30'000));
  for (const std::uint32_t ipus : {1U, 2U}) {
    PhaseIo io = overlapped();
    io.ipus = ipus;
    const Transfers preloaded = movedBy(kThree, io);
    EXPECT_EQ(preloaded.load, on_demand.load);
    EXPECT_EQ(preloaded.store, on_demand.store);
  }
}

class RandomPhases : public testing::TestWithParam<unsigned> {
 protected:
  std::vector<Phase> phases() {
    std::uniform_int_distribution<std::uint64_t> amount(0, 50'000);
    std::vector<Phase> all;
    for (int p = 0; p < 5; ++p) {
      Phase phase;
      phase.batch = {Cycles(amount(random_))};
      phase.update = {Cycles(amount(random_))};
      phase.rows = {Bytes(amount(random_)), Bytes(amount(random_))};
      phase.weights = Bytes(amount(random_));
      phase.state = Bytes(amount(random_));
      phase.updated = phase.weights + phase.state;
      phase.sent = Bytes(amount(random_));
      all.push_back(phase);
    }
    return all;
  }

 private:
  std::mt19937 random_{GetParam()};
};

/// Both schedules compute on the tiles that the I/O tiles leave.
TEST_P(RandomPhases, AreNeverSlowerWithOverlap) {
  const std::vector<Phase> all = phases();
  for (const std::uint32_t ipus : {1U, 2U}) {
    PhaseIo io = overlapped();
    io.ipus = ipus;
    const double overlap = totalOf(all, io);
    io.schedule = IoSchedule::OnDemand;
    EXPECT_LE(overlap, totalOf(all, io));
  }
}

TEST_P(RandomPhases, AreNeverSlowerWithMoreBandwidth) {
  const std::vector<Phase> all = phases();
  for (const IoSchedule schedule : {IoSchedule::OnDemand, IoSchedule::Preload}) {
    PhaseIo io = overlapped();
    io.schedule = schedule;
    double before = totalOf(all, io);
    for (const double rate : {1.5e9, 3e9, 1e10, 1e12}) {
      io.rate.bytes_per_second = rate;
      const double now = totalOf(all, io);
      EXPECT_LE(now, before);
      before = now;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPhases, testing::Range(0U, 20U));

}  // namespace ipusim::parallel
