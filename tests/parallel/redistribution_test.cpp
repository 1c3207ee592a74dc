// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "sim/parallel/redistribution/fastest_plan.h"
#include "sim/parallel/redistribution/study.h"

namespace ipusim::parallel {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

template <typename Call>
void expectRefused(const Call& call, const std::string& part) {
  EXPECT_THAT([&] { static_cast<void>(call()); }, ThrowsMessage<ConfigError>(HasSubstr(part)));
}

TEST(ArrayTypes, AreReadAndWritten) {
  const Mesh mesh = parseMesh("x1=2;x2=2;y1=3;y2=2");
  EXPECT_EQ(mesh.devices(), 24U);
  const std::string text = "[3{x1,x2}12, 2{y1,y2}12]";
  EXPECT_EQ(toText(parseType(text, mesh), mesh), text);
  EXPECT_EQ(toText(parseType(" [ 12{} 12 ] ", mesh), mesh), "[12{}12]");
  // A partition specification names the major axis first.
  EXPECT_EQ(toText(parseSpec("(x2,x1),-", {12, 5}, mesh), mesh), "[3{x1,x2}12, 5{}5]");
}

// Device 4 of 2 x 3 devices has coordinates (1, 1). Rows of two over x, columns of one over y.
TEST(ArrayTypes, SayWhereTheElementsOfADeviceBegin) {
  const Mesh mesh = parseMesh("x=2,y=3");
  const ArrayType type = parseType("[2{x}4, 1{y}3]", mesh);
  EXPECT_EQ(type[0].offset(mesh, 4), 2U);
  EXPECT_EQ(type[1].offset(mesh, 4), 1U);
  EXPECT_EQ(localElements(type, mesh), 2U);
}

TEST(ArrayTypes, RefuseInOneLineWhatIsIllegal) {
  const Mesh mesh = parseMesh("x=2,y=3");
  expectRefused([] { return parseMesh("x=0"); }, "a size of at least 1 at character 3");
  expectRefused([] { return parseMesh("x.0=2"); }, "a name without dots");
  expectRefused([] { return parseMesh("x=2,x=3"); }, "a name for each axis, found x");
  expectRefused([] { return parseMesh("x=257"); }, "at most 256 devices");
  expectRefused([] { return parseMesh("x=99999999999999999999"); }, "a size of at least 1");
  expectRefused([&] { return parseType("[2{z}4]", mesh); }, "an axis of the mesh x=2;y=3, found z");
  expectRefused([&] { return parseType("[2{x}4, 2{x}4]", mesh); }, "each axis at most once");
  expectRefused([&] { return parseType("[2{y}4]", mesh); }, "that its 3 parts divide, found 4");
  expectRefused([&] { return parseType("[3{x}4]", mesh); }, "a local size of 4 / 2 parts, found 3");
  expectRefused([&] { return parseType("[2{x}4", mesh); }, "']' at character 7, found the end");
  expectRefused([&] { return parseSpec("x", {4, 4}, mesh); }, "2 dimensions");
  expectRefused([&] { return parseSpec("x,y,-", {4, 6}, mesh); }, "2 dimensions");
}

TEST(Collectives, ThatNoDeviceCanTakeAreRefused) {
  const Mesh mesh = parseMesh("x=2,y=3");
  const ArrayType type = parseType("[2{x}4, 5{}5]", mesh);
  const auto refused = [&](const Collective& step, const std::string& why) {
    expectRefused([&] { return apply(step, type, mesh); }, why);
  };
  refused(Slice{1, 0}, "dynslice: the axis is used already");
  refused(Slice{0, 1}, "dynslice: y does not divide");
  refused(Slice{2, 1}, "dynslice: the array has no dimension 2");
  refused(Gather{1}, "allgather: too few axes");
  refused(AllToAll{0, 1}, "alltoall: x does not divide");
  refused(Permute{parseType("[4{}4, 5{}5]", mesh)}, "allpermute: another shape in dimension 0");
}

// The worked example of a published redistribution: slice, permute, gather.
TEST(Plans, SayWhatEachStepTakes) {
  const Mesh mesh = parseMesh("x=2,y=3");
  const ArrayType source = parseType("[3{x}6]", mesh);
  const ArrayType target = parseType("[2{y}6]", mesh);
  const Plan plan = findPlan(source, target, mesh, PlanGoal::FewestSteps).value();
  EXPECT_EQ(toText(plan, source, mesh), "dynslice(0,y); allpermute(x,y); allgather(0:x)");
  EXPECT_EQ(costOf(plan, source, mesh), (PlanCost{3, 2, 3, 4}));
  expectRefused([&] { return findPlan(source, parseType("[4{}4]", mesh), mesh, {}); },
                "target: wanted an array of the shape of [3{x}6], found [4{}4]");
}

TEST(Plans, OfAxesThatAreNoPrimesUseTheirFactors) {
  const Mesh mesh = parseMesh("x=4,y=6");
  const Redistribution split =
      factored({mesh, parseType("[2{x,y}48]", mesh), parseType("[8{y}48]", mesh)});
  EXPECT_EQ(toText(split.mesh), "x.1=2;x.0=2;y.1=3;y.0=2");
  EXPECT_EQ(toText(split.source, split.mesh), "[2{x.0,x.1,y.0,y.1}48]");
  const Cells before = cellsOf(parseType("[2{x,y}48]", mesh), mesh);
  EXPECT_EQ(before, cellsOf(split.source, split.mesh));
}

TEST(Plans, OfTooManyAxesAreNotSearched) {
  const Mesh mesh = factored({parseMesh("a=256"), {}, {}}).mesh;
  ArrayType source{{1024, {0, 1, 2, 3, 4, 5, 6, 7}}, {1024}, {1024}};
  ArrayType target{{1024}, {1024, {7, 5, 3, 1}}, {1024, {6, 4, 2, 0}}};
  EXPECT_FALSE(findPlan(source, target, mesh, PlanGoal::LeastReceived).has_value());
  const RedistributionReport report =
      study({mesh, source, target}, ElementType::Half, readSystem("pod256"), WithNumbers::No);
  EXPECT_THAT(report.not_found, testing::Contains("least received"));
  EXPECT_EQ(report.ways.back().name, "direct exchange");
}

TEST(Steps, InWhichNobodySendsWhatIsNeededMoveNothingToTheTarget) {
  const Mesh mesh = parseMesh("x=2,y=2");
  const Cells source = cellsOf(parseType("[2{x}4]", mesh), mesh);
  const Cells target = cellsOf(parseType("[2{y}4]", mesh), mesh);
  DeviceStep step = directStep(source, target);
  EXPECT_TRUE(moveToTarget({step}, source, target));
  for (auto& senders : step.senders) senders.clear();
  EXPECT_FALSE(moveToTarget({step}, source, target));
  EXPECT_THROW(transfersOf(step, source), InternalError);
}

// Neighbouring gathers are one exchange among the devices along both axes.
TEST(Steps, OfOneKindAreOneExchange) {
  const Mesh mesh = parseMesh("x=2,y=2");
  const ArrayType source = parseType("[1{x,y}4]", mesh);
  const auto steps = deviceSteps({Gather{0}, Gather{0}}, source, mesh);
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0].senders[2], std::vector<std::uint32_t>({0, 1, 3}));
}

TEST(FastestPlans, AreNoSlowerThanTheOthersAndRight) {
  const System system = readSystem("pod16");
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Redistribution asked = randomRedistribution(16, seed);
    const RedistributionReport report = study(asked, ElementType::Float, system, WithNumbers::No);
    const PodPrice price(system, 16, Bytes(4));
    const auto fastest = fastestPlan(asked.source, asked.target, asked.mesh, price).value();
    const Cells source = cellsOf(asked.source, asked.mesh);
    EXPECT_TRUE(moveToTarget(fastest.steps, source, cellsOf(asked.target, asked.mesh))) << seed;
    const double seconds = price.seconds(fastest.steps, source);
    for (const WayReport& way : report.ways) {
      if (way.name == "fewest steps" || way.name == "least received") {
        EXPECT_LE(seconds, way.seconds * (1 + 1e-12)) << seed << " " << way.name;
      }
      if (way.name == "least time") {
        EXPECT_DOUBLE_EQ(way.seconds, seconds);
      }
    }
  }
}

// All-gather over 16 IPUs: in one exchange every IPU sends to every other, over rails that are
// shared; round the ring every rail carries one flow.
TEST(PodPrices, LetAGatherOverAllGoRoundTheRing) {
  const System system = readSystem("pod16");
  const Mesh mesh = parseMesh("x=16");
  const Cells before = cellsOf(parseType("[1048576{x}16777216]", mesh), mesh);
  const auto steps = deviceSteps({Gather{0}}, parseType("[1048576{x}16777216]", mesh), mesh);
  const PodPrice price(system, 16, Bytes(2));
  std::vector<models::Flow> flows;
  for (const Transfer& transfer : transfersOf(steps.front(), before)) {
    flows.push_back({transfer.from, transfer.to, transfer.elements.elements() * Bytes(2)});
  }
  EXPECT_LT(price.seconds(steps, before), 0.5 * price.seconds(flows));
}

// Four IPUs in two rungs: one exchange of 1 MiB from each IPU to its partner, over four links.
TEST(Study, PricesAnExchangeByTheLinksItUses) {
  const Mesh mesh = parseMesh("rail=2,rung=2");
  const Redistribution asked{mesh, parseType("[262144{rung}524288]", mesh),
                             parseType("[524288{}524288]", mesh)};
  const System system = readSystem("m2000");
  const RedistributionReport report = study(asked, ElementType::Float, system, WithNumbers::No);
  const double links = 1'048'576 * (1 + 8 / 1024.0) / (4 * 17'179'869'184.0 * 0.783);
  const double wanted = 2 * 2 * 15e-9 + 2000 / 1.33e9 + links;
  EXPECT_EQ(report.ways.front().name, "fewest steps");
  EXPECT_EQ(report.ways.front().plan, "allgather(0:rung)");
  EXPECT_NEAR(report.ways.front().seconds, wanted, 1e-9 * wanted);
}

TEST(SpeedUps, AreOfTheFastestStagedWayOverGatherAndSlice) {
  RedistributionReport report;
  const auto add = [&report](const char* name, std::uint64_t buffers, double seconds) {
    WayReport& way = report.ways.emplace_back();
    way.name = name;
    way.peak_buffers = buffers;
    way.seconds = seconds;
  };
  add("fewest steps", 10, 2);
  add("least received", 20, 1);
  add("gather and slice", 40, 4);
  add("direct exchange", 1, 0.5);
  RedistributionReport slower = report;
  slower.ways[2].seconds = 1.0;
  const SpeedUps found = speedUps({report, slower});
  EXPECT_EQ(found.asked, 2U);
  EXPECT_EQ(found.cases, 2U);
  EXPECT_DOUBLE_EQ(found.geometric_mean, 2.0);
  EXPECT_DOUBLE_EQ(found.largest, 4.0);
  EXPECT_DOUBLE_EQ(found.memory_mean, 0.5);
}

}  // namespace
}  // namespace ipusim::parallel
