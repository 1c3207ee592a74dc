// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <sstream>

#include "poplar/CycleCount.hpp"
#include "poplar/tests/runtime/small_device.h"

namespace {

using namespace poplar::program;
using poplar::Tensor;
using testing::ElementsAre;

class CopyProgram : public testing::Test {
 protected:
  Tensor mapped(std::size_t elements, unsigned tile, const std::vector<int>& values = {}) {
    Tensor tensor = graph_.addVariable(poplar::INT, {elements}, "v");
    graph_.setTileMapping(tensor, tile);
    if (!values.empty()) graph_.setInitialValue(tensor, values);
    return tensor;
  }

  poplar::Device device_ = fourTiles();
  poplar::Graph graph_{device_};
};

TEST_F(CopyProgram, CopiesBetweenTiles) {
  const Tensor from = mapped(3, 0, {7, 8, 9});
  const Tensor to = mapped(3, 2);
  EXPECT_THAT(valuesAfter(graph_, device_, Copy(from, to), to), ElementsAre(7, 8, 9));
}

TEST_F(CopyProgram, RepeatMovesARingOneStepEachTime) {
  const Tensor ring = mapped(4, 0, {1, 2, 3, 4});
  const Tensor next = mapped(4, 1);
  const Sequence step{Copy(concat(ring.slice(1, 4), ring.slice(0, 1)), next), Copy(next, ring)};
  EXPECT_THAT(valuesAfter(graph_, device_, Repeat(3, step), ring), ElementsAre(4, 1, 2, 3));
}

TEST_F(CopyProgram, IfTakesTheOtherWayForZero) {
  const Tensor predicate = mapped(1, 3, {0});
  const Tensor one = mapped(1, 0, {1});
  const Tensor two = mapped(1, 0, {2});
  const Tensor result = mapped(1, 1);
  EXPECT_THAT(
      valuesAfter(graph_, device_, If(predicate[0], Copy(one, result), Copy(two, result)), result),
      ElementsAre(2));
}

TEST_F(CopyProgram, SwitchTakesTheCaseOfItsNumber) {
  const Tensor control = mapped(1, 3, {-4});
  const Tensor values = mapped(2, 0, {10, 20});
  const Tensor result = mapped(1, 1);
  const Switch choice(
      control[0], {{1, Copy(values.slice(0, 1), result)}, {-4, Copy(values.slice(1, 2), result)}});
  EXPECT_THAT(valuesAfter(graph_, device_, choice, result), ElementsAre(20));
}

TEST_F(CopyProgram, RepeatWhileTrueTestsAfterTheConditionAndBeforeTheBody) {
  const Tensor flags = mapped(4, 0, {1, 1, 0, 0});  // shifted left by the condition
  const Tensor trips = mapped(4, 1, {1, 2, 3, 4});  // shifted left by the body
  const auto shift = [this](const Tensor& list) {
    const Tensor room = mapped(4, 2);
    return Sequence{Copy(list, room), Copy(concat(room.slice(1, 4), room.slice(0, 1)), list)};
  };
  EXPECT_THAT(
      valuesAfter(graph_, device_, RepeatWhileTrue(shift(flags), flags[0], shift(trips)), trips),
      ElementsAre(2, 3, 4, 1));
}

TEST_F(CopyProgram, AFunctionRunsAtEachCall) {
  const Tensor list = mapped(2, 0, {1, 2});
  const Tensor room = mapped(2, 1);
  const auto turn = graph_.addFunction(Sequence{Copy(list.reverse(0), room), Copy(room, list)});
  EXPECT_THAT(valuesAfter(graph_, device_, Sequence{Call(turn), Call(turn), Call(turn)}, list),
              ElementsAre(2, 1));
}

TEST_F(CopyProgram, AProgramIsTakenAsItWasAtThatMoment) {
  const Tensor one = mapped(1, 0, {1});
  const Tensor result = mapped(1, 1);
  Sequence inner;
  const Sequence outer{inner};
  inner.add(Copy(one, result));
  EXPECT_THAT(valuesAfter(graph_, device_, outer, result), ElementsAre(0));
}

TEST_F(CopyProgram, PrintTensorWritesRowsInBrackets) {
  const Tensor table = mapped(4, 0, {1, 2, 3, 4}).reshape({2, 2});
  poplar::Engine engine(graph_, PrintTensor("table", table));
  std::ostringstream out;
  engine.setPrintTensorStream(out);
  engine.loadAndRun(device_);
  EXPECT_EQ(out.str(), "table: [[1 2]\n [3 4]]\n");
}

TEST_F(CopyProgram, TurnedViewsOfOneShapeAreCopiedAsTheirMemoryLies) {
  const Tensor from = mapped(64, 0, countingUp(64)).reshape({16, 4});
  const Tensor to = mapped(64, 0).reshape({16, 4});
  const Tensor turned = mapped(64, 0).reshape({16, 4});
  const auto cycles = [this](const Copy& copy) {
    poplar::Engine engine(graph_, copy);
    engine.loadAndRun(device_);
    return engine.getTimeStamp().cycles;
  };
  const Copy across(from.transpose(), turned.transpose());
  EXPECT_EQ(cycles(across), cycles(Copy(from, to)));
  EXPECT_EQ(valuesAfter(graph_, device_, across, turned), countingUp(64));
}

TEST_F(CopyProgram, CycleCountGrowsWithTheLoopItCounts) {
  const auto cycles = [this](unsigned count) {
    const Tensor from = mapped(64, 0);
    const Tensor to = mapped(64, 1);
    Sequence program{Repeat(count, Copy(from, to))};
    const Tensor words = cycleCount(graph_, program, 0, poplar::SyncType::INTERNAL);
    const std::string handle = "cycles" + std::to_string(count);
    graph_.createHostRead(handle, words);
    poplar::Engine engine(graph_, program);
    engine.loadAndRun(device_);
    std::uint64_t found = 0;
    engine.readTensor(handle, &found, &found + 1);
    return found;
  };
  const std::uint64_t two = cycles(2);
  const std::uint64_t three = cycles(3);
  EXPECT_GT(two, cycles(0));
  // From the second iteration on the tiles come to the sync in the same order.
  EXPECT_EQ(cycles(12) - two, 10 * (three - two));
}

TEST_F(CopyProgram, CopiesThatDoNotSeeOneAnotherAreOneStep) {
  const Tensor from = mapped(8, 0, countingUp(8));
  const Tensor to = mapped(8, 1);
  const auto cycles = [&](const Program& program) {
    poplar::Engine engine(graph_, program);
    engine.loadAndRun(device_);
    return engine.getTimeStamp().cycles;
  };
  Sequence parts;
  for (const std::size_t begin : {0U, 2U, 4U, 6U}) {
    parts.add(Sequence{Copy(from.slice(begin, begin + 2), to.slice(begin, begin + 2))});
  }
  const std::uint64_t whole = cycles(Copy(from, to));
  EXPECT_LT(cycles(parts), whole + whole / 10);  // the messages are four, and the sync is one
  EXPECT_EQ(valuesAfter(graph_, device_, parts, to), countingUp(8));
}

TEST_F(CopyProgram, CopiesThatSeeOneAnotherKeepTheirOrder) {
  const Tensor a = mapped(2, 0, {1, 2});
  const Tensor b = mapped(2, 1, {3, 4});
  const Tensor c = mapped(2, 2, {5, 6});
  // `b` is read after it is written, then `a` is written after it is read, then written again.
  const Sequence steps{Copy(a, b), Copy(b, c), Copy(c.reverse(0), a),
                       Copy(b.slice(0, 1), a.slice(0, 1))};
  EXPECT_THAT(valuesAfter(graph_, device_, steps, concat(a, concat(b, c))),
              ElementsAre(1, 1, 1, 2, 1, 2));
}

}  // namespace
