// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "poplar/CycleCount.hpp"
#include "poplar/DeviceManager.hpp"
#include "poplar/tests/runtime/small_device.h"
#include "popops/ElementWise.hpp"
#include "popops/Reduce.hpp"
#include "poputil/TileMapping.hpp"

// Targets of several IPUs: tiles are numbered over all of them.

namespace {

using namespace poplar::program;
using poplar::Tensor;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr unsigned kTiles = 4;  // of an IPU

poplar::Device ipus(unsigned count, unsigned tiles = kTiles) {
  poplar::IPUModel model;
  model.numIPUs = count;
  model.tilesPerIPU = tiles;
  return model.createDevice();
}

class SeveralIpus : public testing::TestWithParam<unsigned> {
 protected:
  Tensor onTile(unsigned tile, const std::vector<int>& values) {
    Tensor tensor = graph_.addVariable(poplar::INT, {values.size()}, "v");
    graph_.setTileMapping(tensor, tile);
    graph_.setInitialValue(tensor, values);
    return tensor;
  }
  std::uint64_t cyclesOf(const Program& program) {
    poplar::Engine engine(graph_, program);
    engine.loadAndRun(device_);
    return engine.getTimeStamp().cycles;
  }

  poplar::Device device_ = ipus(GetParam());
  poplar::Graph graph_{device_};
  unsigned last_tile_ = GetParam() * kTiles - 1;
};

TEST_P(SeveralIpus, TilesAreNumberedOverAll) {
  EXPECT_EQ(graph_.getTarget().getNumIPUs(), GetParam());
  EXPECT_EQ(graph_.getTarget().getNumTiles(), last_tile_ + 1);
  EXPECT_EQ(graph_.getTarget().getTilesPerIPU(), kTiles);
}

TEST_P(SeveralIpus, CopiesGoFromOneToAnother) {
  const Tensor from = onTile(1, {5, 6, 7});
  const Tensor to = onTile(last_tile_, {0, 0, 0});
  EXPECT_THAT(valuesAfter(graph_, device_, Copy(from, to), to), ElementsAre(5, 6, 7));
}

TEST_P(SeveralIpus, LinksTakeLongerThanTheFabric) {
  const Tensor from = onTile(0, countingUp(500));
  const Tensor near = onTile(1, countingUp(500));
  const Tensor far = onTile(last_tile_, countingUp(500));
  const std::uint64_t on_chip = cyclesOf(Copy(from, near));
  const std::uint64_t over_links = cyclesOf(Copy(from, far));
  EXPECT_GT(over_links, on_chip + 1000);  // the fixed cost of an exchange between IPUs is 2,000
}

TEST_P(SeveralIpus, TheProfileNamesWhatLinksTake) {
  const Tensor from = onTile(0, countingUp(500));
  const Tensor far = onTile(last_tile_, countingUp(500));
  poplar::Engine engine(graph_, Repeat(3, Copy(from, far)));
  engine.loadAndRun(device_);
  std::ostringstream text;
  engine.printProfileSummary(text);
  EXPECT_THAT(text.str(), HasSubstr("Number of IPUs:         " + std::to_string(GetParam())));
  EXPECT_THAT(text.str(), testing::ContainsRegex("global exchange cycles: +[1-9]"));
  const auto json = nlohmann::json::parse(engine.getProfileAsJson());
  EXPECT_GT(json.at("activity").at("link_bytes").get<std::uint64_t>(), 3UL * 500 * sizeof(int));
}

TEST_P(SeveralIpus, VerticesReadWhatLiesOnOthers) {
  const Tensor a = graph_.addVariable(poplar::FLOAT, {101}, "a");
  const Tensor b = graph_.addVariable(poplar::FLOAT, {101}, "b");
  poputil::mapTensorLinearly(graph_, a, 1, 1);
  graph_.setTileMapping(b, 0);
  std::vector<float> values(101);
  std::iota(values.begin(), values.end(), 1.0F);
  graph_.setInitialValue(a, values);
  graph_.setInitialValue(b, values);
  Sequence program;
  const Tensor sum = popops::add(graph_, a, b, program);
  const Tensor total = popops::reduce(graph_, sum, {0}, popops::Operation::ADD, program);
  graph_.createHostRead("total", total);
  poplar::Engine engine(graph_, program);
  engine.loadAndRun(device_);
  float found = 0;
  engine.readTensor("total", &found, &found + 1);
  EXPECT_EQ(found, 101 * 102);
}

TEST_P(SeveralIpus, ADecisionReachesAll) {
  const Tensor left = onTile(last_tile_, {3});
  const Tensor one = onTile(0, {1});
  const Tensor trips = onTile(0, {0});
  Sequence body;
  popops::subInPlace(graph_, left, one, body);
  popops::addInPlace(graph_, trips, one, body);
  const RepeatWhileTrue loop(Sequence(), left[0], body);
  EXPECT_THAT(valuesAfter(graph_, device_, loop, trips), ElementsAre(3));
}

TEST_P(SeveralIpus, RowsOfRemoteBuffersGoToTheirTiles) {
  const poplar::RemoteBuffer buffer = graph_.addRemoteBuffer("rows", poplar::INT, 6, 3);
  const Tensor near = graph_.addVariable(poplar::INT, {6}, "near");
  graph_.setTileMapping(near.slice(0, 2), 0);
  graph_.setTileMapping(near.slice(2, 6), last_tile_);
  const Tensor row = graph_.addVariable(poplar::UNSIGNED_INT, {1}, "row");
  graph_.setTileMapping(row, 1);
  graph_.setInitialValue(row, std::vector<unsigned>{2});
  const Tensor one = onTile(last_tile_, std::vector<int>(6, 100));
  Sequence program{Copy(buffer, near, row)};
  popops::addInPlace(graph_, near, one, program);
  program.add(Copy(near, buffer));
  poplar::Engine engine(graph_, program);
  engine.load(device_);
  std::vector<int> given{1, 2, 3, 4, 5, 6};
  engine.copyToRemoteBuffer(given.data(), "rows", 2);
  engine.run();
  std::vector<int> taken(6);
  engine.copyFromRemoteBuffer("rows", taken.data(), 0);
  EXPECT_THAT(taken, ElementsAre(101, 102, 103, 104, 105, 106));
  EXPECT_GT(engine.getTimeStamp().cycles, 1000U);
}

TEST_P(SeveralIpus, StreamsGoToEach) {
  const Tensor all = graph_.addVariable(poplar::INT, {64}, "all");
  for (unsigned i = 0; i < 64; ++i) graph_.setTileMapping(all[i], i % (last_tile_ + 1));
  const auto in = graph_.addHostToDeviceFIFO("in", poplar::INT, 64);
  const auto out = graph_.addDeviceToHostFIFO("out", poplar::INT, 64);
  poplar::Engine engine(graph_, Sequence{Copy(in, all), Copy(all, out)});
  std::vector<int> given = countingUp(64);
  std::vector<int> taken(64);
  engine.connectStream("in", given.data());
  engine.connectStream("out", taken.data());
  engine.loadAndRun(device_);
  EXPECT_EQ(taken, given);
}

TEST_P(SeveralIpus, AProgramIsSaved) {
  const Tensor from = onTile(0, {1, 2});
  const Tensor to = onTile(last_tile_, {0, 0});
  graph_.createHostRead("to", to);
  std::stringstream file;
  poplar::compileGraph(graph_, {Copy(from, to)}).serialize(file);
  poplar::Engine engine(poplar::Executable::deserialize(file));
  engine.loadAndRun(device_);
  std::vector<int> values(2);
  engine.readTensor("to", values.data(), values.data() + 2);
  EXPECT_THAT(values, ElementsAre(1, 2));
}

INSTANTIATE_TEST_SUITE_P(Counts, SeveralIpus, testing::Values(2, 4));

TEST(ManyIpus, AreRefusedInOneLine) {
  const std::vector<poplar::Device> devices =
      poplar::DeviceManager::createDeviceManager().getDevices(poplar::TargetType::IPU, 8);
  ASSERT_FALSE(devices.empty());
  try {
    const poplar::Graph graph(devices.front());
    FAIL();
  } catch (const poplar::poplar_error& error) {
    EXPECT_STREQ(error.what(),
                 "target: wanted 1 to 4 IPUs, whose tile memories find room below 4 GB, found 8");
  }
}

const char* const kWhereAmI = R"(
#include <poplar/Vertex.hpp>
class WhereAmI : public poplar::Vertex {
 public:
  poplar::Output<unsigned> tile;
  void compute() { *tile = __builtin_ipu_get_tile_id(); }
};
)";

// 4 x 1472 tiles whose codelets all have an address below 4 GB.
TEST(ManyIpus, FourWholeOnesRunCodelets) {
  poplar::DeviceManager manager;
  std::vector<poplar::Device> devices = manager.getDevices(poplar::TargetType::IPU, 4);
  ASSERT_FALSE(devices.empty());
  poplar::Graph graph(devices.front());
  const unsigned tiles = graph.getTarget().getNumTiles();
  ASSERT_EQ(tiles, 4U * 1472U);
  const std::string missing = codeletsMissing(graph, kWhereAmI);
  if (!missing.empty()) GTEST_SKIP() << missing;
  const Tensor found = graph.addVariable(poplar::UNSIGNED_INT, {tiles}, "found");
  const poplar::ComputeSet compute_set = graph.addComputeSet("where");
  for (unsigned t = 0; t < tiles; ++t) {
    graph.setTileMapping(found[t], t);
    const auto vertex = graph.addVertex(compute_set, "WhereAmI", {{"tile", found[t]}});
    graph.setTileMapping(vertex, t);
  }
  const std::vector<int> values =
      valuesAfter(graph, devices.front(), Execute(compute_set), found.reinterpret(poplar::INT));
  EXPECT_EQ(values, countingUp(tiles));
}

}  // namespace
