// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/elementwise/scaled_add.h"

#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

constexpr ScaledAddKind kScaledAddFloat{ScaledOp::Add, ElementType::Float, ElementType::Float};
constexpr ScaledAddKind kScaledAddHalf{ScaledOp::Subtract, ElementType::Half, ElementType::Half};

TEST(ScaledAddCycles, TakeThreeSlotsAVector) {
  // 24 floats: two vectors per worker, no rest.
  EXPECT_EQ(scaledAddCycles(toyMachine(), {kScaledAddFloat, 24}),
            Cycles(57 + 6 * (15 + 6 + 3 + 4)));
}

TEST(ScaledAddCycles, ChargeOneWorkerForTheRest) {
  // 27 halves: a vector a worker, a rest of three.
  EXPECT_EQ(scaledAddCycles(toyMachine(), {kScaledAddHalf, 27}),
            Cycles(50 + 13 + 7 + 6 * (15 + 6 + 4 + 5 + 7 + 6)));
}

TEST(ScaledAddCycles, AreFewerWhereTheOperandsLieApart) {
  ScaledAddKind apart = kScaledAddFloat;
  apart.memory = OperandMemory::Apart;
  // 10 vectors per worker, then 16: 2 slots per vector, from there on 1.
  EXPECT_EQ(scaledAddCycles(toyMachine(), {apart, 120}), Cycles(57 + 6 * (15 + 6 + 18 + 4)));
  EXPECT_EQ(scaledAddCycles(toyMachine(), {apart, 192}), Cycles(57 + 6 * (15 + 6 + 15 + 4)));
}

TEST(ScaledAddCycles, OfTwoScalesStartLater) {
  ScaledAddKind kind{ScaledOp::AxPlusBy, ElementType::Float, ElementType::Float};
  // 25 floats: two vectors per worker and one element.
  const std::uint64_t worker = 17 + 9 + 1 + 5;
  EXPECT_EQ(scaledAddCycles(toyMachine(), {kind, 25}), Cycles(50 + 13 + 12 + 6 * worker));
  kind.op = ScaledOp::AxMinusBy;
  EXPECT_EQ(scaledAddCycles(toyMachine(), {kind, 25}), Cycles(50 + 13 + 6 * worker));
}

TEST(ScaledAddCycles, OfHalvesScaledByFloatsDealThemInPairs) {
  const ScaledAddKind kind{ScaledOp::AxPlusBy, ElementType::Half, ElementType::Half};
  // 27: f = 3, R = 4 + 2 = 6, which is no worker; each has 2 * 2 + 2 = 6: 15 + 5.
  EXPECT_EQ(scaledAddCycles(toyMachine(), {kind, 27}), Cycles(1 + 6 + 142 + 6 * (19 + 20)));
  // 24: f = 0, R = 4; worker 4 has 2 * 2 + 2 as well, and a slot more.
  EXPECT_EQ(scaledAddCycles(toyMachine(), {kind, 24}), Cycles(1 + 6 + 142 + 5 + 6 * (19 + 20 + 1)));
  // 5 elements: 15 + 9; one: 6 + 14. A run multiplies.
  EXPECT_EQ(scaledAdd2dCycles(toyMachine(), {kind, {5, 1}}), Cycles(22 + 5 * (24 + 20)));
}

TEST(ScaledAddCycles, OfIntegersGoThreeAtATime) {
  const ScaledAddKind kind{ScaledOp::Subtract, ElementType::Int32, ElementType::Int32};
  EXPECT_EQ(scaledAddCycles(toyMachine(), {kind, 11}), Cycles(73 + 26 * 5 + 1));
  EXPECT_EQ(scaledAdd2dCycles(toyMachine(), {kind, {11}}), Cycles(10 + 7 + 55));
}

TEST(ScaledAdd2dCycles, AddTheirRunsUp) {
  EXPECT_EQ(scaledAdd2dCycles(toyMachine(), {kScaledAddFloat, {4, 5}}),
            Cycles(10 + 15 + 5 + 6 + 15 + 5 + 6 + 7));
  EXPECT_EQ(scaledAdd2dCycles(toyMachine(), {kScaledAddHalf, {3}}), Cycles(12 + 15 + 4 + 6 + 7));
}

}  // namespace
}  // namespace ipusim::models
