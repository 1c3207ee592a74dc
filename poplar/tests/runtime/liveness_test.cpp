// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "poplar/tests/runtime/small_device.h"

// Variables that do not hold a value at the same time share memory, and those that may be read
// before they are written keep theirs.

namespace {

using namespace poplar::program;
using poplar::Tensor;
using testing::Each;

constexpr std::size_t kElements = 1000;
constexpr std::uint64_t kBytes = kElements * sizeof(int);

class Liveness : public testing::Test {
 public:
  Tensor onTile(unsigned tile, std::size_t elements = kElements) {
    Tensor tensor = graph.addVariable(poplar::INT, {elements}, "v");
    graph.setTileMapping(tensor, tile);
    return tensor;
  }
  /// Elements of the host, at both ends of a run.
  Tensor readable(unsigned tile, const std::string& handle) {
    Tensor tensor = onTile(tile);
    graph.createHostRead(handle, tensor);
    return tensor;
  }
  Tensor filled(unsigned tile, int value) {
    Tensor tensor = onTile(tile);
    graph.setInitialValue(tensor, std::vector<int>(kElements, value));
    return tensor;
  }

  static std::vector<int> valuesOf(poplar::Engine& engine, const std::string& handle) {
    std::vector<int> values(kElements);
    engine.readTensor(handle, values.data(), values.data() + kElements);
    return values;
  }
  static nlohmann::json memoryOf(poplar::Engine& engine) {
    return nlohmann::json::parse(engine.getProfileAsJson()).at("memory");
  }

  poplar::Device device = fourTiles();
  poplar::Graph graph{device};
};

TEST_F(Liveness, ValuesThatFollowOneAnotherShareMemory) {
  const Tensor from = filled(0, 7);
  const Tensor first = onTile(1);
  const Tensor second = onTile(2);
  const Tensor third = onTile(1);
  const Tensor to = readable(3, "to");
  poplar::Engine engine(graph, Sequence{Copy(from, first), Copy(first, second), Copy(second, third),
                                        Copy(third, to)});
  engine.loadAndRun(device);
  EXPECT_THAT(valuesOf(engine, "to"), Each(7));
  const nlohmann::json memory = memoryOf(engine);
  // `first` and `third` are on one tile, and never both in use.
  EXPECT_EQ(memory.at("peak_not_always_live_bytes"), 2 * kBytes);
}

TEST_F(Liveness, AValueOfAnEarlierRunLives) {
  const Tensor kept = onTile(1);
  const Tensor other = onTile(1);
  const Tensor from = filled(0, 5);
  const Tensor to = readable(2, "to");
  poplar::Engine engine(
      graph, {Copy(from, kept), Sequence{Copy(from, other), Copy(other, to)}, Copy(kept, to)});
  engine.load(device);
  engine.run(2);
  EXPECT_THAT(valuesOf(engine, "to"), Each(0));  // variables begin as zeros
  for (const unsigned program : {0U, 1U, 2U}) engine.run(program);
  EXPECT_THAT(valuesOf(engine, "to"), Each(5));
  EXPECT_EQ(memoryOf(engine).at("peak_not_always_live_bytes"), kBytes);
}

TEST_F(Liveness, AValueOfAnEarlierIterationLives) {
  const Tensor carried = onTile(1);
  const Tensor scratch = onTile(1);
  const Tensor from = filled(0, 3);
  const Tensor to = readable(2, "to");
  const Sequence body{Copy(carried, to), Copy(from, scratch), Copy(scratch, carried)};
  poplar::Engine engine(graph, Sequence{Copy(from, carried), Repeat(3, body)});
  engine.loadAndRun(device);
  EXPECT_THAT(valuesOf(engine, "to"), Each(3));
  EXPECT_EQ(memoryOf(engine).at("peak_not_always_live_bytes"), 2 * kBytes);
}

TEST_F(Liveness, AValueThatABranchMayNotWriteLives) {
  const Tensor maybe = onTile(1);
  const Tensor scratch = onTile(1);
  const Tensor from = filled(0, 4);
  const Tensor to = readable(2, "to");
  const Tensor predicate = onTile(0, 1);
  graph.setInitialValue(predicate, std::vector<int>{0});
  poplar::Engine engine(graph,
                        Sequence{Copy(from, scratch), Copy(scratch, to),
                                 If(predicate[0], Copy(from, maybe), Sequence()), Copy(maybe, to)});
  engine.loadAndRun(device);
  EXPECT_THAT(valuesOf(engine, "to"), Each(0));
}

TEST_F(Liveness, WhatABranchUsesAloneSharesMemory) {
  const Tensor inside = onTile(1);
  const Tensor outside = onTile(1);
  const Tensor from = filled(0, 4);
  const Tensor to = readable(2, "to");
  const Tensor predicate = onTile(0, 1);
  graph.setInitialValue(predicate, std::vector<int>{1});
  poplar::Engine engine(
      graph,
      Sequence{Copy(from, outside), Copy(outside, to),
               If(predicate[0], Sequence{Copy(from, inside), Copy(inside, to)}, Sequence())});
  engine.loadAndRun(device);
  EXPECT_THAT(valuesOf(engine, "to"), Each(4));
  EXPECT_LT(memoryOf(engine).at("peak_not_always_live_bytes"), 2 * kBytes);
}

TEST_F(Liveness, FunctionsThatCallOneAnotherTwiceAreLaidOut) {
  poplar::Function function = graph.addFunction(Sequence());
  for (int depth = 0; depth < 60; ++depth) {
    function = graph.addFunction(Sequence{Call(function), Call(function)});
  }
  EXPECT_NO_THROW(poplar::Engine(graph, Sequence{Call(function)}));
}

TEST_F(Liveness, StreamsWriteAndReadValues) {
  const Tensor in = onTile(1);
  const Tensor out = onTile(1);
  const auto from = graph.addHostToDeviceFIFO("from", poplar::INT, kElements);
  const auto to = graph.addDeviceToHostFIFO("to", poplar::INT, kElements);
  const Tensor middle = onTile(0);
  poplar::Engine engine(
      graph, Sequence{Copy(from, in), Copy(in, middle), Copy(middle, out), Copy(out, to)});
  std::vector<int> given(kElements, 9);
  std::vector<int> taken(kElements, 0);
  engine.connectStream("from", given.data());
  engine.connectStream("to", taken.data());
  engine.loadAndRun(device);
  EXPECT_THAT(taken, Each(9));
  EXPECT_EQ(memoryOf(engine).at("peak_not_always_live_bytes"), 2 * kBytes);
}

TEST_F(Liveness, APartThatNothingWritesKeepsItsValue) {
  const Tensor part = onTile(1);
  const Tensor scratch = onTile(1);
  const Tensor from = filled(0, 6);
  const Tensor to = readable(2, "to");
  poplar::Engine engine(
      graph,
      Sequence{Copy(from, scratch), Copy(scratch, to),
               Copy(from.slice(0, kElements / 2), part.slice(0, kElements / 2)), Copy(part, to)});
  engine.loadAndRun(device);
  const std::vector<int> values = valuesOf(engine, "to");
  EXPECT_EQ(values.front(), 6);
  EXPECT_EQ(values.back(), 0);
}

TEST_F(Liveness, AWriteUndefOfAllElementsFreesTheirMemory) {
  constexpr std::size_t kHalf = kElements / 2;
  for (const bool is_whole : {false, true}) {
    poplar::Graph other{device};
    const auto on = [&other](unsigned tile) {
      Tensor tensor = other.addVariable(poplar::INT, {kElements}, "v");
      other.setTileMapping(tensor, tile);
      return tensor;
    };
    const Tensor parts = on(1);
    const Tensor scratch = on(1);
    const Tensor from = on(0);
    const Tensor to = on(2);
    other.setInitialValue(from, std::vector<int>(kElements, 6));
    other.createHostRead("to", to);
    poplar::Engine engine(
        other, Sequence{Copy(from, scratch), Copy(scratch, to),
                        WriteUndef(is_whole ? parts : parts.slice(0, kHalf)),
                        Copy(from.slice(0, kHalf), parts.slice(0, kHalf)),
                        Sync(poplar::SyncType::INTERNAL),
                        Copy(from.slice(kHalf, kElements), parts.slice(kHalf, kElements)),
                        Copy(parts, to)});
    engine.loadAndRun(device);
    EXPECT_THAT(valuesOf(engine, "to"), Each(6));
    EXPECT_EQ(memoryOf(engine).at("peak_not_always_live_bytes"), kBytes);
    const std::uint64_t kept = is_whole ? 2 * kBytes : 3 * kBytes;
    EXPECT_EQ(memoryOf(engine).at("always_live_bytes"), kept);
  }
}

TEST_F(Liveness, AVariableThatIsOnlySaidToHoldNothingNeedsNoTile) {
  const Tensor nowhere = graph.addVariable(poplar::INT, {kElements}, "nowhere");
  EXPECT_NO_THROW(poplar::Engine(graph, Sequence{WriteUndef(nowhere)}));
}

}  // namespace
