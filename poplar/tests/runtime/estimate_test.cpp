// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "poplar/CycleCount.hpp"
#include "poplar/tests/runtime/library_fixture.h"

namespace {

using namespace poplar::program;

/// One vertex that adds to four numbers, with an estimate of its program: 6,000 of the worker's
/// cycles.
class PerfEstimate : public LibraryProgram {
 protected:
  void SetUp() override {
    LibraryProgram::SetUp();
    if (IsSkipped()) return;
    std::stringstream source(R"(
#include <poplar/Vertex.hpp>
class Add : public poplar::Vertex {
 public:
  poplar::InOut<poplar::Vector<float>> data;
  bool compute() {
    for (unsigned i = 0; i < data.size(); ++i) data[i] += 1;
    return true;
  }
};
)");
    graph.addCodelets(source);
    const poplar::Tensor data = graph.addVariable(poplar::FLOAT, {4}, "data");
    graph.setTileMapping(data, 0);
    const auto adding = graph.addComputeSet("adding");
    const auto vertex = graph.addVertex(adding, "Add", {{"data", data}});
    graph.setTileMapping(vertex, 0);
    graph.setPerfEstimate(vertex, 6000);
    program.add(Repeat(2, Execute(adding)));
  }
  static std::string summaryOf(poplar::Engine& engine) {
    std::ostringstream text;
    engine.printProfileSummary(text);
    return text.str();
  }
};

TEST_F(PerfEstimate, StandsBesideTheCyclesOfTheCode) {
  poplar::Engine engine(graph, program);
  engine.loadAndRun(device);
  EXPECT_LT(engine.getTimeStamp().cycles, 6000U);
  EXPECT_THAT(summaryOf(engine),
              testing::HasSubstr(
                  "Estimates of the program, of 2 calls of vertices: 12,000 cycles of workers"));
  EXPECT_THAT(summaryOf(engine), testing::HasSubstr("the time is that of the code"));
  engine.resetExecutionProfile();
  EXPECT_THAT(summaryOf(engine), testing::Not(testing::HasSubstr("Estimates of the program")));
}

TEST_F(PerfEstimate, IsTheTimeWhereTheEngineIsAskedForIt) {
  poplar::Engine of_code(graph, program);
  poplar::Engine engine(graph, program, {{"ipusim.perfEstimates", "true"}});
  of_code.loadAndRun(device);
  engine.loadAndRun(device);
  const std::uint64_t more = engine.getTimeStamp().cycles - of_code.getTimeStamp().cycles;
  // Two calls; a worker issues once in six cycles.
  EXPECT_GT(more, 2 * 6 * 5900U);
  EXPECT_LE(more, 2 * 6 * 6000U);
  EXPECT_THAT(summaryOf(engine), testing::HasSubstr("the time is that of the estimates"));
}

}  // namespace
