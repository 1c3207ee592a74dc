// SPDX-License-Identifier: Apache-2.0
#include "poplar/CycleCount.hpp"
#include "poplar/tests/runtime/library_fixture.h"
#include "poplin/MatMul.hpp"
#include "popops/Encoding.hpp"
#include "popops/Loop.hpp"
#include "popops/Pad.hpp"
#include "popops/Reduce.hpp"
#include "poputil/Broadcast.hpp"
#include "poputil/Util.hpp"
#include "poputil/VarStructure.hpp"

// Forms of calls that programs use beside the usual ones.

namespace {

namespace pe = popops::expr;
using namespace poplar::program;
using poplar::Interval;
using poplar::Tensor;
using testing::ElementsAre;

using CallForms = LibraryProgram;
using Regions = std::vector<std::vector<Interval>>;

TEST_F(CallForms, TheNameOfAFileOfCodeletsMayBeAString) {
  const std::string path = "no such file.cpp";
  EXPECT_THROW(graph.addCodelets(path), poplar::graph_object_load_error);
  EXPECT_THROW(graph.addCodelets(path + ".gp"), poplar::graph_object_load_error);
  EXPECT_THROW(graph.addCodelets({path}, "-O3"), poplar::graph_object_load_error);
  EXPECT_THROW(graph.addCodelets({"no such file.cpp", "nor this.cpp"}),
               poplar::graph_object_load_error);
}

TEST_F(CallForms, AConstantForAMemberOfTheVertexIsItsInitialValue) {
  std::stringstream source(
      "#include <poplar/Vertex.hpp>\nclass Add : public poplar::Vertex { public: "
      "poplar::Output<int> out; poplar::Input<poplar::Vector<int>> list; int more; "
      "void compute() { *out = list[1] + more; } };");
  graph.addCodelets(source);
  const Tensor out = spread<int>({1}, {0});
  const auto compute_set = graph.addComputeSet("add");
  const std::vector<int> list = {30, 40};
  const auto vertex =
      graph.addVertex(compute_set, "Add", {{"out", out}, {"list", list}, {"more", 2}});
  graph.setTileMapping(vertex, 0);
  program.add(Execute(compute_set));
  EXPECT_THAT(after<int>(out), ElementsAre(42));
}

TEST_F(CallForms, InitialValuesMayBeBitsOfHalf) {
  const Tensor tensor = graph.addVariable(poplar::HALF, {2}, "h");
  graph.setTileMapping(tensor, 1);
  const std::vector<std::uint16_t> bits = {0x3c00, 0xc000};
  graph.setInitialValueHalf(tensor, bits);
  EXPECT_THAT(after<std::uint16_t>(tensor), ElementsAre(0x3c00, 0xc000));
}

TEST_F(CallForms, RegionsAreSortedByTheirPlaceInTheVariable) {
  const Tensor whole = graph.addVariable(poplar::INT, {8}, "v");
  const Tensor mixed = concat(whole.slice(4, 8), whole.slice(0, 4));
  EXPECT_EQ(graph.getSortedContiguousRegions(mixed, {Interval(0, 8)}),
            (Regions{{Interval(4, 8), Interval(0, 4)}}));
  EXPECT_EQ(graph.getSortedContiguousRegions(mixed, {Interval(0, 2), Interval(5, 6)}),
            (Regions{{Interval(5, 6)}, {Interval(0, 2)}}));
}

TEST_F(CallForms, SortedRegionsMayLeaveOutElementsThatComeAgain) {
  const Tensor whole = graph.addVariable(poplar::INT, {4}, "v");
  const Tensor twice = concat(whole, whole.slice(1, 3));
  EXPECT_EQ(graph.getSortedContiguousRegions(twice, {Interval(0, 6)}, true),
            (Regions{{Interval(0, 4)}}));
}

TEST_F(CallForms, SeveralClonesAreOneTensor) {
  const Tensor three = graph.cloneN(spread<int>({2}, {5, 6}), 3, "clones");
  EXPECT_EQ(three.shape(), (std::vector<std::size_t>{3, 2}));
  EXPECT_FALSE(three.containsAliases());
}

TEST_F(CallForms, ASwitchWithCheckedBoundsEndsTheRunForOtherValues) {
  const Tensor control = spread<int>({}, {7});
  program.add(Switch::switchWithBoundsChecking(control, {{1, Sequence()}}));
  EXPECT_THROW(after<int>(control), poplar::application_runtime_error);
}

TEST_F(CallForms, ACopyAcrossReplicasIsOneWithinTheOnlyReplica) {
  const Tensor from = spread<int>({2}, {1, 2});
  const Tensor to = spread<int>({2}, {0, 0});
  program.add(CrossReplicaCopy(from, to, {{0, 0}}));
  program.add(AssumeEqualAcrossReplicas(to));
  EXPECT_THAT(after<int>(to), ElementsAre(1, 2));
  EXPECT_THROW(CrossReplicaCopy(from, to, {{0, 1}}), poplar::control_program_error);
}

TEST_F(CallForms, EachOfSeveralTilesHasItsStamp) {
  const std::vector<Tensor> stamps =
      cycleStamp(graph, program, std::vector<unsigned>{1, 3}, poplar::SyncType::INTERNAL);
  EXPECT_EQ(graph.getTileMapping(stamps[0])[1].size(), 1U);
  EXPECT_EQ(graph.getTileMapping(stamps[1])[3].size(), 1U);
}

TEST_F(CallForms, AVirtualDeviceHasTheFirstTiles) {
  EXPECT_EQ(device.createVirtualDevice({0, 1}).getTarget().getNumTiles(), 2U);
  EXPECT_THROW(device.createVirtualDevice({1, 2}), poplar::invalid_machine_model);
}

TEST_F(CallForms, NumbersStandBesideExpressions) {
  const Tensor a = spread<float>({2}, {1, 4});
  const Tensor found = popops::map(graph, (2 * pe::_1 + 1) / 2.0F - pe::_1, {a}, program);
  EXPECT_THAT(after<float>(found), ElementsAre(0.5F, 0.5F));
}

TEST_F(CallForms, BitsAreOperatorsOfExpressions) {
  const Tensor a = spread<int>({2}, {6, 9});
  const Tensor found = popops::map(graph, ((pe::_1 & 3) << 4) | (~pe::_1 ^ pe::_1), {a}, program);
  EXPECT_THAT(after<int>(found), ElementsAre(-1, -1));
}

TEST_F(CallForms, AnExpressionOfAnOperatorThatIsKnownInTheRun) {
  const pe::Any root = pe::UnaryOp(pe::UnaryOpType::SQRT, pe::_1);
  const Tensor found = popops::map(graph, *root.clone(), {spread<float>({2}, {9, 16})}, program);
  EXPECT_THAT(after<float>(found), ElementsAre(3, 4));
}

TEST_F(CallForms, AHalfRoundsToTheNearestEvenWholeNumber) {
  const Tensor a = spread<float>({4}, {0.5F, 1.5F, -2.5F, 2.4F});
  EXPECT_THAT(after<float>(popops::nearbyint(graph, a, program)), ElementsAre(0, 2, -2, 2));
}

TEST_F(CallForms, SelectAndClampTakeNumbers) {
  const Tensor a = spread<int>({3}, {1, 50, -7});
  const Tensor kept = popops::select(graph, a, 0, popops::gt(graph, a, 2, program), program);
  EXPECT_THAT(after<int>(concat(kept, popops::clamp(graph, a, 0, 10, program))),
              ElementsAre(0, 50, 0, 1, 10, 0));
}

TEST_F(CallForms, OperandsOfTwoTypesAreNamed) {
  const Tensor whole = spread<int>({2}, {1, 2});
  const Tensor fraction = spread<float>({2}, {1, 2});
  EXPECT_THROW(popops::add(graph, fraction, whole, program, "add", {}), poputil::poplibs_error);
}

TEST_F(CallForms, AReductionOfNoElementIsThatOfItsOperation) {
  const Tensor none = graph.addVariable(poplar::INT, {0, 2}, "none");
  const Tensor sum = popops::reduce(graph, none, {0}, popops::Operation::ADD, program);
  const Tensor product = popops::reduce(graph, none, {0}, popops::Operation::MUL, program);
  EXPECT_THAT(after<int>(concat(sum, product)), ElementsAre(0, 0, 1, 1));
}

TEST_F(CallForms, NumbersCountUpInATensor) {
  const Tensor tensor = spread<int>({4}, {0, 0, 0, 0});
  popops::iota(graph, tensor, -1, program);
  EXPECT_THAT(after<int>(tensor), ElementsAre(-1, 0, 1, 2));
}

TEST_F(CallForms, AnIndexBecomesARowWithOneOne) {
  const Tensor encoded = graph.addVariable(poplar::FLOAT, {2, 3}, "rows");
  graph.setTileMapping(encoded, 2);
  popops::encodeOneHot(graph, spread<unsigned>({2}, {2, 0}), encoded, program);
  EXPECT_THAT(after<float>(encoded), ElementsAre(0, 0, 1, 1, 0, 0));
}

TEST_F(CallForms, ACountedLoopMayHaveItsOwnCount) {
  const Tensor sum = spread<int>({1}, {0});
  Sequence body;
  popops::addInPlace(graph, sum, 10, body);
  program.add(popops::countedForLoop(graph, 1, spread<int>({1}, {7}), 2, body));
  EXPECT_THAT(after<int>(sum), ElementsAre(30));
}

TEST_F(CallForms, PadsWithZerosWhereNoValueIsGiven) {
  const Tensor a = spread<int>({2}, {1, 2});
  Tensor to = spread<int>({4}, {9, 9, 9, 9});
  program.add(Copy(popops::pad(graph, a, {1}, {1}), to));
  EXPECT_THAT(after<int>(to), ElementsAre(0, 1, 2, 0));
}

TEST_F(CallForms, AGroupIsWhatLiesTogetherInMemoryAndOnATile) {
  const Tensor groups = graph.addVariable(poplar::HALF, {2, 3, 4}, "groups");
  graph.setTileMapping(groups, 1);
  const Tensor rows = groups.dimShuffle({1, 0, 2}).reshape({3, 8});
  EXPECT_EQ(poputil::detectInnermostGrouping(graph, rows), 4U);
  graph.setTileMapping(groups.slice(0, 2, 2), 0);
  EXPECT_EQ(poputil::detectInnermostGrouping(graph, rows), 2U);
  EXPECT_EQ(poputil::detectInnermostGrouping(graph, rows.transpose()), 1U);
}

TEST_F(CallForms, RegionsThatFollowOneAnotherAreJoined) {
  Regions mapping = {{Interval(4, 6), Interval(0, 4)}, {}, {Interval(8, 9), Interval(6, 7)}};
  poputil::mergeAdjacentRegions(mapping);
  EXPECT_EQ(mapping, (Regions{{Interval(0, 6)}, {}, {Interval(6, 7), Interval(8, 9)}}));
  EXPECT_EQ(poputil::intervalSequenceNumElements(mapping), 8U);
}

TEST_F(CallForms, AnIndexIsAPlaceInAShape) {
  const std::vector<std::size_t> shape = {3, 4, 5};
  const std::vector<std::size_t> place = {2, 1, 3};
  EXPECT_EQ(poputil::flattenIndex(shape, place), 48U);
  EXPECT_EQ(poputil::unflattenIndex(shape, 48), place);
}

TEST_F(CallForms, PadsWithElementsOfTheTensor) {
  const Tensor a = spread<int>({4}, {1, 2, 3, 4});
  const Tensor edge = popops::pad(a, 2, 1, 0, popops::padding::Type::EDGE);
  const Tensor reflected = popops::pad(a, {2}, {1}, popops::padding::Type::REFLECT);
  EXPECT_THAT(after<int>(concat(edge, reflected)),
              ElementsAre(1, 1, 1, 2, 3, 4, 4, 3, 2, 1, 2, 3, 4, 3));
  EXPECT_THROW(popops::pad(a, 4, 0, 0, popops::padding::Type::REFLECT), poputil::poplibs_error);
}

TEST_F(CallForms, ATensorMayBeCopiedToAnotherIpu) {
  const poplar::Device two = twoIpus();
  poplar::Graph both(two);
  const Tensor tensor = both.addVariable(poplar::INT, {2}, "t");
  both.setTileMapping(tensor, 1);
  both.setInitialValue<int>(tensor, {5, 6});
  Sequence steps;
  const Tensor copy = poputil::copyToIpu(both, tensor, steps, 1);
  EXPECT_EQ(both.getTileMapping(copy)[3].size(), 1U);
  EXPECT_THAT(valuesAfter(both, two, steps, copy), ElementsAre(5, 6));
  EXPECT_THROW(poputil::cloneToIpu(both, tensor, 2), poplar::invalid_tile_mapping);
}

TEST_F(CallForms, RanksAndShapesOfOperandsAreMatched) {
  Tensor a = graph.addVariable(poplar::INT, {4, 3, 2}, "a");
  Tensor b = graph.addVariable(poplar::INT, {3, 1}, "b");
  Tensor c = graph.addVariable(poplar::INT, {2}, "c");
  EXPECT_TRUE(poputil::canBroadcastToMatch(a, b));
  EXPECT_FALSE(poputil::canBroadcastToMatch(a, b.transpose()));
  poputil::expandToMatchRanks(a, b);
  EXPECT_EQ(b.shape(), (std::vector<std::size_t>{1, 3, 1}));
  poputil::broadcastToMatch(a, b, c);
  EXPECT_EQ(c.shape(), a.shape());
}

}  // namespace
