// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/scaled_add.h"

#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

constexpr ScaledAddKind kFloat{ScaledOp::Add, ElementType::Float, ElementType::Float};
constexpr ScaledAddKind kHalf{ScaledOp::Subtract, ElementType::Half, ElementType::Half};

TEST(ScaledAddCycles, TakeThreeSlotsAVector) {
  // 24 floats: two vectors a worker, no rest.
  EXPECT_EQ(scaledAddCycles(toyMachine(), {kFloat, 24}), Cycles(57 + 6 * (15 + 6 + 3 + 4)));
}

TEST(ScaledAddCycles, ChargeOneWorkerForTheRest) {
  // 27 halves: a vector a worker, a rest of three.
  EXPECT_EQ(scaledAddCycles(toyMachine(), {kHalf, 27}),
            Cycles(50 + 13 + 7 + 6 * (15 + 6 + 4 + 5 + 7 + 6)));
}

TEST(ScaledAddCycles, AreFewerWhereTheOperandsLieApart) {
  ScaledAddKind apart = kFloat;
  apart.memory = OperandMemory::Apart;
  // 10 vectors a worker, then 16: 2 slots a vector, from there on 1.
  EXPECT_EQ(scaledAddCycles(toyMachine(), {apart, 120}), Cycles(57 + 6 * (15 + 6 + 18 + 4)));
  EXPECT_EQ(scaledAddCycles(toyMachine(), {apart, 192}), Cycles(57 + 6 * (15 + 6 + 15 + 4)));
}

TEST(ScaledAdd2dCycles, AddTheirRunsUp) {
  EXPECT_EQ(scaledAdd2dCycles(toyMachine(), {kFloat, {4, 5}}),
            Cycles(10 + 15 + 5 + 6 + 15 + 5 + 6 + 7));
  EXPECT_EQ(scaledAdd2dCycles(toyMachine(), {kHalf, {3}}), Cycles(12 + 15 + 4 + 6 + 7));
}

}  // namespace
}  // namespace ipusim::models
