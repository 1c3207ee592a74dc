// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "ipusim/execute.h"
#include "models/ipu/machine/system.h"
#include "sim/execute/check.h"
#include "tests/execute/toy_run.h"
#include "tests/support/test_vertices.h"
#include "tests/support/thrown.h"
#include "tests/support/toy_pod.h"

// Remote copies with real numbers: what was stored in a row comes back from that row.

namespace ipusim::executor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A whole number that a vertex raises by one.
VertexType nextVertex() {
  return workloads::testVertex("Next",
                               {{"row", FieldDirection::InOut, ElementType::UInt32, {{1, 1}}}},
                               [](const VertexData& data) { ++*data.as<std::uint32_t>(0, 0); });
}

/// A graph with a buffer of four rows of four floats.
struct Rows : ToyRun {
  RemoteBufferId buffer = graph.addRemoteBuffer(ElementType::Float, 4, 4, "rows");

  Tensor counter(std::uint32_t tile) {
    Tensor row = graph.addVariable(ElementType::UInt32, {1}, "counter", Lifetime::Always);
    graph.setTileMapping(row, TileId(tile));
    return row;
  }
  Program next(const Tensor& row, std::uint32_t tile) {
    const auto set = graph.addComputeSet("next");
    graph.addVertices(set, {shared(nextVertex()), TileId(tile), 1, {{row.view()}}});
    return execute(set);
  }
  Program accumulate(const Tensor& sum, const Tensor& in, std::uint32_t tile) {
    const auto set = graph.addComputeSet("accumulate");
    graph.addVertices(set, {shared(workloads::accumulateVertex(sum.elements())),
                            TileId(tile),
                            1,
                            {{sum.view()}, {in.view()}}});
    return execute(set);
  }
  [[nodiscard]] compiler::Executable compileForStreaming() const {
    return compiler::compile(graph, models::toySystem(1));
  }
};

TEST(RemoteRows, ComeBackWhereverTheTensorsLie) {
  Rows rows;
  const Tensor from = rows.spread({4}, 1);
  const Tensor to = rows.on(2, {2, 2});
  rows.give(from, {1, 2, 3, 4});
  rows.graph.program().add(rows.graph.store(from, rows.buffer, 2, "store"));
  // The target takes the row column by column.
  rows.graph.program().add(rows.graph.load(rows.buffer, 2, to.dimShuffle({1, 0}), "load"));
  const compiler::Executable executable = rows.compileForStreaming();
  EXPECT_THAT(rows.result(executable, to, Checking::Strict), ElementsAre(1, 3, 2, 4));
}

TEST(RemoteRows, AreChosenByTheValueOfACounter) {
  // Round r stores r + 1 times the step in row r. Then rows 3, 2 and 1 are summed.
  Rows rows;
  Graph& graph = rows.graph;
  const Tensor step = rows.on(1, {4});
  const Tensor sum = rows.on(1, {4});
  const Tensor back = rows.on(1, {4}, Lifetime::Temporary);
  const Tensor total = rows.on(1, {4});
  const Tensor row = rows.counter(3);
  rows.give(step, {1, 10, 100, 1000});
  rows.give(sum, {0, 0, 0, 0});
  rows.give(total, {0, 0, 0, 0});
  rows.give(row, {0});
  graph.program().add(repeat(4, {rows.accumulate(sum, step, 1),
                                 graph.store(sum, rows.buffer, row, "store"), rows.next(row, 3)}));
  for (const std::uint64_t r : {3U, 2U, 1U}) {
    graph.program().add(graph.load(rows.buffer, r, back, "load"));
    graph.program().add(rows.accumulate(total, back, 1));
  }
  const compiler::Executable executable = rows.compileForStreaming();
  EXPECT_THAT(rows.result(executable, total, Checking::Strict), ElementsAre(9, 90, 900, 9000));
}

TEST(RemoteRows, AreChosenForAllIpus) {
  Rows rows;
  Graph& graph = rows.graph;
  const Tensor here = rows.on(1, {2});
  const Tensor far = rows.on(5, {2});
  const Tensor both = concat({here, far}, 0);
  const Tensor back = concat({rows.on(2, {2}), rows.on(6, {2})}, 0);
  const Tensor row = rows.counter(3);
  rows.give(here, {1, 2});
  rows.give(far, {3, 4});
  rows.give(row, {2});
  graph.program().add(rows.next(row, 3));
  graph.program().add(graph.store(both, rows.buffer, row, "store"));
  graph.program().add(graph.load(rows.buffer, 3, back, "load"));
  const compiler::Executable executable = compiler::compile(graph, models::toySystem(2));
  EXPECT_THAT(rows.result(executable, back, Checking::Strict), ElementsAre(1, 2, 3, 4));
}

TEST(RemoteRows, ThatTheBufferDoesNotHaveAreRefused) {
  Rows rows;
  const Tensor tensor = rows.on(0, {4});
  const Tensor row = rows.counter(1);
  rows.give(tensor, {1, 2, 3, 4});
  rows.give(row, {4});
  rows.graph.program().add(rows.graph.store(tensor, rows.buffer, row, "store"));
  const compiler::Executable executable = rows.compileForStreaming();
  EXPECT_THAT(graphErrorOf([&] { static_cast<void>(rows.run(executable)); }),
              HasSubstr("wanted a row below 4, found row 4"));
}

TEST(RemoteRows, ThatWereNotStoredAreRefused) {
  Rows rows;
  const Tensor tensor = rows.on(0, {4});
  rows.graph.program().add(rows.graph.load(rows.buffer, 1, tensor, "load"));
  const compiler::Executable executable = rows.compileForStreaming();
  EXPECT_THAT(graphErrorOf([&] { static_cast<void>(rows.run(executable)); }),
              HasSubstr("wanted a row that was written before, found row 1"));
}

/// Doubles row 1 into row 2, and keeps row 1 in a tensor.
struct Doubled : Rows {
  Doubled() {
    const Tensor in = on(1, {4}, Lifetime::Temporary);
    const Tensor sum = on(2, {4}, Lifetime::Temporary);
    graph.program().add(graph.load(buffer, 1, in, "load"));
    graph.program().add(graph.copy(in, kept, "keep"));
    graph.program().add(graph.copy(in, sum, "copy"));
    graph.program().add(accumulate(sum, in, 2));
    graph.program().add(graph.store(sum, buffer, 2, "store"));
  }
  Tensor kept = on(3, {4});
};

TEST(HostRows, AreWrittenBeforeARunAndReadAfterIt) {
  const Doubled doubled;
  const HostTensors host{{},
                         {{"kept", doubled.kept}},
                         {{"in", doubled.buffer, 1, 2, {1, 2, 3, 4}}},
                         {{"out", doubled.buffer, 2}, {"in", doubled.buffer, 1}}};
  EXPECT_THAT(
      ipusim::execute(doubled.graph, models::toySystem(1).ipu, host),
      ElementsAre(ElementsAre(1, 2, 3, 4), ElementsAre(2, 4, 6, 8), ElementsAre(1, 2, 3, 4)));
}

TEST(HostRows, AreInputsAndOutputsOfACheck) {
  const Doubled doubled;
  const HostTensors host{
      {}, {{"kept", doubled.kept}}, {{"in", doubled.buffer, 1}}, {{"out", doubled.buffer, 2}}};
  const compiler::Executable executable = doubled.compileForStreaming();
  const auto check = [&](double factor) {
    const auto reference = [factor](const std::vector<Values>& inputs) {
      Values twice = inputs.at(0);
      for (double& value : twice) value *= factor;
      return std::vector<Values>{inputs.at(0), twice};
    };
    return checkNumbers(doubled.graph, executable, host, {reference, 1e-6}, {Checking::Strict});
  };
  EXPECT_TRUE(check(2).ok);
  EXPECT_EQ(check(2).elements, 8U);
  EXPECT_FALSE(check(3).ok);
  EXPECT_EQ(check(3).output, "out");
}

// Each round loads row 1, doubles it and stores it in row 1 again.
TEST(HostRows, AreComparedAfterEachRound) {
  Rows rows;
  Graph& graph = rows.graph;
  const Tensor in = rows.on(1, {4}, Lifetime::Temporary);
  const Tensor sum = rows.on(1, {4}, Lifetime::Temporary);
  graph.program().add(
      repeat(5, {graph.load(rows.buffer, 1, in, "load"), graph.copy(in, sum, "copy"),
                 rows.accumulate(sum, in, 1), graph.store(sum, rows.buffer, 1, "store")}));
  const auto twice = [](const std::vector<Values>& inputs) {
    Values values = inputs.at(0);
    for (double& value : values) value *= 2;
    return std::vector<Values>{values};
  };
  const HostTensors host{{}, {}, {{"row", rows.buffer, 1}}, {{"row", rows.buffer, 1}}};
  const compiler::Executable executable = rows.compileForStreaming();
  EXPECT_TRUE(checkNumbers(graph, executable, host, {twice, 1e-6, 5}).ok);
  EXPECT_FALSE(checkNumbers(graph, executable, host, {twice, 1e-6, 4}).ok);
}

TEST(HostRows, ThatAreNotThereAreNamed) {
  const Doubled doubled;
  const Machine ipu = models::toySystem(1).ipu;
  const auto fault = [&](const HostRow& in, const HostRow& out) {
    return graphErrorOf([&] { ipusim::execute(doubled.graph, ipu, {{}, {}, {in}, {out}}); });
  };
  const HostRow right{"in", doubled.buffer, 1};
  EXPECT_EQ(fault({"in", doubled.buffer, 4}, right),
            "row in: wanted a row of rows below 4, found 4");
  EXPECT_EQ(fault({"in", RemoteBufferId{7}, 0}, right),
            "row in: wanted a remote buffer below 1, found 7");
  EXPECT_EQ(fault({"in", doubled.buffer, 1, 2, {1, 2}}, right),
            "row in: wanted a value for each of its 4 elements, found 2");
  EXPECT_EQ(fault(right, {"out", doubled.buffer, 3}),
            "row out: wanted a row that was written, found row 3 of rows");
}

TEST(RemoteRows, AreMovedInAnOverlapToo) {
  Rows rows;
  Graph& graph = rows.graph;
  const Tensor io = rows.on(0, {4});
  const Tensor back = rows.on(0, {4});
  const Tensor sum = rows.on(40, {4});
  const Tensor in = rows.on(40, {4});
  std::vector<TileId> io_tiles;
  for (std::uint32_t t = 0; t < 32; ++t) io_tiles.emplace_back(t);
  graph.setIoTiles(io_tiles);
  rows.give(io, {5, 6, 7, 8});
  rows.give(sum, {1, 1, 1, 1});
  rows.give(in, {1, 2, 3, 4});
  graph.program().add(overlap(graph.store(io, rows.buffer, 0, "store"),
                              {repeat(2, {rows.accumulate(sum, in, 40)})}));
  graph.program().add(graph.load(rows.buffer, 0, back, "load"));
  const compiler::Executable executable = compiler::compile(graph, models::toySystem(1, 64));
  EXPECT_THAT(rows.result(executable, back, Checking::Strict), ElementsAre(5, 6, 7, 8));
  EXPECT_THAT(rows.result(executable, sum, Checking::Strict), ElementsAre(3, 5, 7, 9));
}

}  // namespace
}  // namespace ipusim::executor
