// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/run/detail/detail_of.h"
#include "sim/run/simulate.h"
#include "tests/run/two_tile_run.h"

namespace ipusim::run {
namespace {

using testing::ElementsAre;

RunResult detailed(const std::string& run, const std::vector<Override>& overrides = {},
                   Engine engine = Engine::ClosedForm) {
  const auto config = ConfigReader::fromFile("configs/runs/" + run + ".toml", overrides);
  SimulateOptions options;
  options.detail = Detail::With;
  return simulate(prepare(config), engine, options);
}

RunResult simulatedProduct(Engine engine) {
  return detailed("matmul",
                  {{"machine", "{base = \"gc200\", tiles = 64}"},
                   {"workload.m", "256"},
                   {"workload.k", "256"},
                   {"workload.n", "256"}},
                  engine);
}

/// A product with exchanges and copies, on 64 tiles. It is simulated once.
const RunResult& smallProduct(Engine engine = Engine::ClosedForm) {
  static const RunResult closed_form = simulatedProduct(Engine::ClosedForm);
  static const RunResult chip = simulatedProduct(Engine::SystemC);
  return engine == Engine::SystemC ? chip : closed_form;
}

std::vector<std::uint64_t> expanded(const BandValues& runs) {
  std::vector<std::uint64_t> values;
  for (const BandRun& run : runs) values.insert(values.end(), run.count, run.value);
  return values;
}

std::uint64_t largest(const BandValues& runs) {
  std::uint64_t most = 0;
  for (const BandRun& run : runs) most = std::max(most, run.value);
  return most;
}

std::uint64_t sumOf(const std::vector<std::uint64_t>& values) {
  std::uint64_t sum = 0;
  for (const std::uint64_t value : values) sum += value;
  return sum;
}

TEST(Bands, AreSingleTilesInASmallProgramAndFewInALargeOne) {
  EXPECT_EQ(bandsFor(1472, 20).tiles_per_band, 1U);
  const TileBands large = bandsFor(1472, 10'000);
  EXPECT_EQ(large.tiles_per_band, 59U);
  EXPECT_EQ(large.count(), 25U);
  EXPECT_EQ(bandsFor(4, 1'000'000'000).count(), 1U);
}

TEST(Detail, IsThereOnlyWhereItIsAskedFor) {
  const auto config = ConfigReader::fromFile("configs/runs/quickstart.toml", {});
  EXPECT_FALSE(simulate(config, Engine::ClosedForm).detail);
}

TEST(Detail, HasTheCyclesAndTheVerticesOfEachStep) {
  const RunResult& result = smallProduct();
  ASSERT_EQ(result.detail->steps.size(), result.steps.size());
  for (std::size_t s = 0; s < result.steps.size(); ++s) {
    const StepDetail& step = result.detail->steps[s];
    const std::vector<std::uint64_t> cycles = expanded(step.cycles);
    ASSERT_EQ(cycles.size(), 64U);
    EXPECT_EQ(cycles[result.steps[s].max_tile], result.steps[s].cycles.value());
    EXPECT_NEAR(static_cast<double>(sumOf(cycles)), 64 * result.steps[s].mean_cycles, 1e-3);
    std::uint64_t vertices = 0;
    for (const VertexGroup& group : step.vertices) vertices += group.vertices;
    EXPECT_EQ(vertices, result.steps[s].vertices);
  }
}

TEST(Detail, HasTheBytesOfEachExchange) {
  const RunResult& result = smallProduct();
  std::uint64_t all = 0;
  for (std::size_t s = 0; s < result.steps.size(); ++s) {
    const StepResult& step = result.steps[s];
    if (step.kind != StepKind::Exchange) continue;
    const StepDetail& detail = result.detail->steps[s];
    EXPECT_EQ(largest(detail.received), step.exchange.max_tile_bytes.value());
    EXPECT_EQ(sumOf(expanded(detail.received)), step.exchange.bytes.value());
    EXPECT_LE(sumOf(expanded(detail.sent)), step.exchange.bytes.value());
    EXPECT_GT(sumOf(expanded(detail.sent)), 0U);
    all += step.exchange.bytes.value() * step.iterations;
  }
  EXPECT_GT(all, 0U);
  EXPECT_EQ(sumOf(result.detail->received_of_tile), all);
}

TEST(Detail, APortIsNotHeldLongerThanItsExchangeLasts) {
  const RunResult& result = smallProduct();
  for (std::size_t s = 0; s < result.steps.size(); ++s) {
    const auto& ports = result.detail->steps[s].ports;
    EXPECT_EQ(ports.has_value(), result.steps[s].kind == StepKind::Exchange);
    if (!ports) continue;
    const std::uint64_t each = result.steps[s].cycles.value() / result.steps[s].iterations;
    EXPECT_GT(ports->receive.cycles.value(), 0U);
    EXPECT_LE(ports->receive.cycles.value(), each + 1);
    EXPECT_GE(ports->most_receivers, 1U);
  }
}

TEST(Detail, ALayoutEndsWhereTheMemoryOfItsTileEnds) {
  const RunResult& result = smallProduct();
  const ProgramDetail& detail = *result.detail;
  for (std::size_t t = 0; t < result.tiles.size(); ++t) {
    const TileLayout& layout = detail.layouts.at(detail.layout_of_tile.at(t));
    Bytes end = layout.fixed;
    for (const PlacedBytes& block : layout.blocks) {
      end = std::max(end, block.address + block.bytes);
      EXPECT_EQ(block.address.value() % block.alignment.value(), 0U);
      EXPECT_GE(block.address, layout.fixed);
    }
    EXPECT_EQ(end, result.tiles[t].including_gaps);
  }
}

TEST(Detail, AMessageBufferIsACopyOfAVariable) {
  const RunResult& result = smallProduct();
  std::uint64_t buffers = 0;
  for (const TileLayout& layout : result.detail->layouts) {
    for (const PlacedBytes& block : layout.blocks) {
      if (block.category != MemoryCategory::MessageBuffers) continue;
      ASSERT_LT(block.variable, result.variables.size());
      EXPECT_FALSE(result.variables[block.variable].name.empty());
      ++buffers;
    }
  }
  EXPECT_GT(buffers, 0U);
}

TEST(Detail, TheRowsThatALoadOfWeightsServesAreThoseOfTheSlowestVertex) {
  const RunResult result = detailed("matmul", {{"machine", "{base = \"gc200\", tiles = 4}"},
                                               {"workload.m", "64"},
                                               {"workload.k", "64"},
                                               {"workload.n", "1"},
                                               {"workload.type", "half"},
                                               {"workload.method", "amp"}});
  std::uint64_t rows = 0;
  for (const StepDetail& step : result.detail->steps) {
    for (const VertexGroup& group : step.vertices) rows = std::max(rows, group.rows_per_weights);
  }
  EXPECT_EQ(rows, 1U);
}

Bytes categoryOf(const RunResult& result, MemoryCategory category) {
  return result.memory.by_category[static_cast<std::size_t>(category)];
}

TEST(Operations, HaveTheCodeAndTheTablesOfTheTiles) {
  const RunResult& result = smallProduct();
  Bytes exchange;
  Bytes tables;
  Bytes vertices;
  for (const OperationDetail& operation : result.detail->operations) {
    exchange += operation.exchange_code;
    tables += operation.vertex_data;
    vertices += operation.vertex_code;
  }
  EXPECT_GT(exchange, Bytes(0));
  EXPECT_EQ(exchange, categoryOf(result, MemoryCategory::ExchangeCode));
  EXPECT_EQ(tables, categoryOf(result, MemoryCategory::VertexState) +
                        categoryOf(result, MemoryCategory::VertexFieldData) +
                        categoryOf(result, MemoryCategory::CopyDescriptors));
  // Operations that share code on a tile each count it.
  EXPECT_GE(vertices, categoryOf(result, MemoryCategory::VertexCode));
}

TEST(Operations, AreTheLayersOfANetworkAndReadFromOneAnother) {
  const auto config = ConfigReader::fromText(R"(
machine = {base = "gc200", tiles = 16}
[workload]
kind = "network"
input = [32]
batch = 8
layers = "linear 32 16; relu; linear 4"
)",
                                             "network.toml", {});
  SimulateOptions options;
  options.detail = Detail::With;
  const RunResult result = simulate(prepare(config), Engine::ClosedForm, options);
  const std::vector<OperationDetail>& operations = result.detail->operations;
  ASSERT_EQ(operations.size(), 3U);
  EXPECT_EQ(operations[0].name, "linear1");
  EXPECT_THAT(operations[0].inputs, ElementsAre());
  EXPECT_EQ(operations[1].name, "relu1");
  EXPECT_THAT(operations[1].inputs, ElementsAre(0));
  EXPECT_EQ(operations[2].name, "linear2");
  EXPECT_THAT(operations[2].inputs, ElementsAre(1));
}

TEST(Operations, OfAProgramWithOneNameAreToldApartByTheNextPart) {
  const RunResult& result = smallProduct();
  std::vector<std::string> names;
  for (const OperationDetail& one : result.detail->operations) names.push_back(one.name);
  EXPECT_THAT(names, testing::Contains("matmul/Convolve"));
}

TEST(Detail, AStepThatRunsOnceLastsItsCycles) {
  const RunResult& result = smallProduct(Engine::SystemC);
  std::uint64_t looked_at = 0;
  for (std::size_t s = 0; s < result.steps.size(); ++s) {
    const StepResult& step = result.steps[s];
    if (step.iterations != 1) continue;
    Cycles longest;
    for (const BandSpan& span : result.detail->steps[s].first_iteration) {
      longest = std::max(longest, excess(span.end, span.begin));
      if (span.end > span.begin) {
        EXPECT_GE(span.begin, step.start);
      }
      EXPECT_LE(span.end, step.end);
    }
    EXPECT_EQ(longest, step.cycles) << step.name;
    ++looked_at;
  }
  EXPECT_GT(looked_at, 2U);
}

TEST(Detail, BothEnginesTellTheSame) {
  const RunResult& chip = smallProduct(Engine::SystemC);
  const RunResult& closed_form = smallProduct(Engine::ClosedForm);
  for (std::size_t s = 0; s < chip.steps.size(); ++s) {
    const BandSpans& a = chip.detail->steps[s].first_iteration;
    const BandSpans& b = closed_form.detail->steps[s].first_iteration;
    const auto same = [](const BandSpan& one, const BandSpan& other) {
      return one.count == other.count && one.begin == other.begin && one.end == other.end;
    };
    EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end(), same)) << chip.steps[s].name;
  }
}

TEST(Detail, OfSeveralIpusHasNoFirstIterations) {
  const RunResult result =
      detailed("pod_all_reduce", {{"machine", "m2000"}, {"workload.elements", "16384"}});
  ASSERT_TRUE(result.detail);
  for (const StepDetail& step : result.detail->steps) EXPECT_TRUE(step.first_iteration.empty());
  EXPECT_EQ(result.detail->layout_of_tile.size(), result.tiles.size());
  EXPECT_GT(sumOf(result.detail->received_of_tile), 0U);
}

TEST(Traffic, GoesFromTheSenderToTheReceivers) {
  const Experiment experiment = prepare(ConfigReader::fromText(
      "machine = \"toy\"\n[workload]\nkind = \"exchange_latency\"\nfrom = 2\nto = 1\nbytes = 400\n",
      "test.toml"));
  const compiler::Executable& executable = experiment.executable;
  ProgramDetail detail;
  detail.steps.resize(executable.lowered.steps.size());
  addTraffic(executable, bandsFor(4, executable.lowered.steps.size()), detail);
  EXPECT_THAT(detail.received_of_tile, ElementsAre(0, 400, 0, 0));
  EXPECT_THAT(detail.sent_of_tile, ElementsAre(0, 0, 400, 0));
  ASSERT_EQ(executable.programs.only().transmissions.size(), 1U);
  const Transmission& only = executable.programs.only().transmissions.front();
  const PortDetail& ports = detail.steps.at(1).ports.value();
  EXPECT_EQ(ports.send.tile, 2U);
  EXPECT_EQ(ports.send.cycles, only.length);
  EXPECT_EQ(ports.receive.tile, 1U);
  EXPECT_EQ(ports.receive.cycles, only.length + only.control);
}

TEST(Traffic, OfALoopCountsItsIterations) {
  Experiment experiment = twoTileExperiment();
  compiler::Messages& messages =
      experiment.executable.lowered.steps.at(2).messages;  // runs three times
  compiler::Message message;
  message.from = BlockId{0};
  message.to = BlockId{2};
  message.form = messages.addForm({Bytes(8)});
  messages.add(message);
  ProgramDetail detail;
  detail.steps.resize(experiment.executable.lowered.steps.size());
  addTraffic(experiment.executable, {2, 1}, detail);
  EXPECT_THAT(expanded(detail.steps[2].received), ElementsAre(0, 8));
  EXPECT_THAT(detail.received_of_tile, ElementsAre(0, 24));
  EXPECT_THAT(detail.sent_of_tile, ElementsAre(24, 0));
}

TEST(Layouts, HaveTheBytesOfNoBlockAtTheirBeginning) {
  ProgramDetail detail;
  addLayouts(twoTileExperiment().executable, detail);
  EXPECT_THAT(detail.layout_of_tile, ElementsAre(0, 1));
  EXPECT_EQ(detail.layouts.at(0).fixed, Bytes(100));
  EXPECT_EQ(detail.layouts.at(1).fixed, Bytes(100));
  ASSERT_EQ(detail.layouts.at(1).blocks.size(), 2U);
  EXPECT_EQ(detail.layouts[1].blocks[1].variable, 1U);
  ASSERT_EQ(detail.layouts[1].blocks[1].live.size(), 1U);
  EXPECT_EQ(detail.layouts[1].blocks[1].live[0].first, 1U);
  EXPECT_EQ(detail.layouts[1].blocks[1].live[0].last, 2U);
}

/// Counts what it hears.
class Count : public Observer {
 public:
  void busy(TileId /*tile*/, OpKind /*kind*/, const Interval& /*when*/) override { ++busy_; }
  void transmission(std::uint32_t /*number*/, const Interval& /*when*/) override { ++sends_; }
  void sync(const Interval& /*when*/) override { ++syncs_; }
  void hostTransfer(std::uint32_t /*number*/, const Interval& /*when*/) override {}

  std::uint64_t busy_ = 0;
  std::uint64_t sends_ = 0;
  std::uint64_t syncs_ = 0;
};

TEST(FirstIterations, TellsTheNextObserverAllThatItHears) {
  Count next;
  FirstIterations heard(1, {3, 2}, &next);
  heard.busy(TileId(0), OpKind::Compute, {StepId{0}, Cycles(5), Cycles(9), 1});
  heard.busy(TileId(1), OpKind::Compute, {StepId{0}, Cycles(4), Cycles(8), 1});
  heard.busy(TileId(1), OpKind::Compute, {StepId{0}, Cycles(40), Cycles(80), 7});
  heard.transmission(0, {StepId{0}, Cycles(1), Cycles(2), 1});
  heard.sync({StepId{0}, Cycles(1), Cycles(2), 1});
  EXPECT_EQ(next.busy_, 3U);
  EXPECT_EQ(next.sends_, 1U);
  EXPECT_EQ(next.syncs_, 1U);
  const BandSpans spans = heard.of(0);
  ASSERT_EQ(spans.size(), 2U);
  EXPECT_EQ(spans[0].begin, Cycles(4));
  EXPECT_EQ(spans[0].end, Cycles(9));
  EXPECT_EQ(spans[1].end, Cycles(0));
}

}  // namespace
}  // namespace ipusim::run
