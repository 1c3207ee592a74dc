// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/host_access.h"

#include <gmock/gmock.h>

#include "ipusim/error.h"
#include "tests/execute/toy_run.h"

namespace ipusim::executor {

using testing::ElementsAre;

TEST(HostAccess, ReadsAViewOfWhatItWrote) {
  ToyRun toy;
  const Tensor spread = toy.spread({2, 3}, 2);
  const Tensor one = toy.on(3, {2, 1});
  toy.give(spread, {1, 2, 3, 4, 5, 6});
  toy.give(one, {7, 8});
  const Tensor wide = concat({one, spread.slice(1, 3, 1)}, 1);
  EXPECT_THAT(toy.result(wide.dimShuffle({1, 0})), ElementsAre(7, 8, 2, 5, 3, 6));
}

TEST(HostAccess, PacksAShareInTheOrderOfItsElements) {
  ToyRun toy;
  const Tensor spread = toy.spread({6}, 1);
  toy.give(spread, {1, 2, 3, 4, 5, 6});
  const compiler::Executable executable = toy.compile();
  TileMemories memories = toy.run(executable);
  const auto* share = reinterpret_cast<const float*>(
      memories.at(executable.lowered.shareOf(VariableId{0}, TileId(1))));
  EXPECT_EQ(share[0], 2);
  EXPECT_EQ(share[1], 6);
}

TEST(HostAccess, ReadsPoisonWhereNobodyWrote) {
  ToyRun toy;
  EXPECT_THAT(toy.result(toy.on(1, {2})), testing::Each(testing::IsNan()));
}

TEST(HostAccess, LoadsTheValuesOfConstants) {
  ToyRun toy;
  const std::vector<double> labels{3, 0, 2, 1};
  const Tensor constant = toy.graph.addConstant(ElementType::UInt32, {2, 2}, labels, "labels");
  const Tensor ones = toy.graph.addConstant(ElementType::Float, {3}, 1, "ones");
  toy.graph.setTileMapping(constant.slice(0, 1, 0), TileId(2));
  toy.graph.setTileMapping(constant.slice(1, 2, 0), TileId(1));
  const Tensor squares = toy.graph.addConstant(
      ElementType::Float, {3}, [](std::uint64_t e) { return static_cast<double>(e * e); },
      "squares");
  toy.graph.setTileMapping(ones, TileId(0));
  toy.graph.setTileMapping(squares, TileId(3));
  EXPECT_EQ(toy.result(constant), labels);
  EXPECT_THAT(toy.result(squares), ElementsAre(0, 1, 4));
  EXPECT_THAT(toy.result(ones), ElementsAre(1, 1, 1));
  EXPECT_THROW(toy.graph.addConstant(ElementType::UInt32, {3}, labels, "short"), GraphError);
}

TEST(HostAccess, TakesOneValueForEachElement) {
  ToyRun toy;
  const Tensor tensor = toy.on(0, {2});
  toy.give(tensor, {1});
  EXPECT_THROW(static_cast<void>(toy.result(tensor)), GraphError);
}

TEST(HostAccess, ReachesOnlyWhatLivesAlways) {
  ToyRun toy;
  const Tensor kept = toy.on(0, {2});
  const Tensor temporary = toy.on(0, {2}, Lifetime::Temporary);
  toy.graph.program().add(toy.graph.copy(kept, temporary, "copy"));
  EXPECT_THROW(static_cast<void>(toy.result(temporary)), GraphError);
}

}  // namespace ipusim::executor
