// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "tests/poplar/small_device.h"

namespace {

using namespace poplar::program;
using poplar::Tensor;
using testing::HasSubstr;

class Mistakes : public testing::Test {
 protected:
  /// What an engine for the program says when it is made.
  template <typename Error>
  std::string errorOf(const Program& program) {
    try {
      const poplar::Engine engine(graph, program);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  }

  poplar::Device device = fourTiles();
  poplar::Graph graph{device};
};

TEST_F(Mistakes, ElementsWithoutATileAreNamedWithTheirRanges) {
  const Tensor tensor = graph.addVariable(poplar::FLOAT, {10}, "half mapped");
  graph.setTileMapping(tensor.slice(2, 5), 1);
  EXPECT_EQ(errorOf<poplar::invalid_tile_mapping>(Copy(tensor.slice(0, 2), tensor.slice(2, 4))),
            "variable half mapped: wanted a tile for each of its 10 elements, found none for "
            "[0, 2), [5, 10)");
}

TEST_F(Mistakes, ATileThatIsNotThereIsNamed) {
  const Tensor tensor = graph.addVariable(poplar::FLOAT, {1}, "v");
  try {
    graph.setTileMapping(tensor, 4);
    FAIL();
  } catch (const poplar::invalid_tile_mapping& error) {
    EXPECT_STREQ(error.what(), "setTileMapping of v{1}: wanted a tile below 4, found tile 4");
  }
}

TEST_F(Mistakes, ACopyOfOtherSizeIsRefusedWhenItIsMade) {
  const Tensor three = graph.addVariable(poplar::FLOAT, {3}, "a");
  const Tensor four = graph.addVariable(poplar::FLOAT, {4}, "b");
  EXPECT_THROW(Copy(three, four), poplar::control_program_error);
}

TEST_F(Mistakes, AConstantIsNotWritten) {
  const Tensor constant = graph.addConstant<float>(poplar::FLOAT, {2}, {1, 2}, "c");
  const Tensor variable = graph.addVariable(poplar::FLOAT, {2}, "v");
  EXPECT_THROW(Copy(variable, constant), poplar::control_program_error);
}

TEST_F(Mistakes, ATileThatOverflowsIsNamedWithItsBytes) {
  const Tensor large = graph.addVariable(poplar::FLOAT, {200'000}, "large");  // 800 kB
  graph.setTileMapping(large, 2);
  EXPECT_THAT(
      errorOf<poplar::graph_memory_allocation_error>(Copy(large.slice(0, 1), large.slice(1, 2))),
      HasSubstr("Out of memory on tile 2:"));
}

TEST_F(Mistakes, AnUnknownVertexTypeIsNamed) {
  const auto compute_set = graph.addComputeSet("cs");
  EXPECT_THROW(graph.addVertex(compute_set, "NoSuchVertex"), poplar::unknown_vertex_type);
}

TEST_F(Mistakes, AHandleOfTwoStreamsIsNamed) {
  graph.addHostToDeviceFIFO("in", poplar::INT, 4);
  EXPECT_THROW(graph.addDeviceToHostFIFO("in", poplar::INT, 4),
               poplar::graph_object_creation_error);
}

TEST_F(Mistakes, AHandleOfTwoTensorsIsNamed) {
  const Tensor one = graph.addVariable(poplar::INT, {1}, "one");
  graph.createHostRead("values", one);
  graph.createHostWrite("values", one);
  graph.createHostRead("values", one);
  EXPECT_THROW(graph.createHostRead("values", graph.addVariable(poplar::INT, {2}, "two")),
               poplar::graph_object_creation_error);
}

TEST_F(Mistakes, AnOptionOfAKnownGroupThatIsNotKnownIsAWarning) {
  testing::internal::CaptureStderr();
  const poplar::Engine engine(graph, Sequence(),
                              {{"debug.noSuchThing", "1"}, {"debug.instrument", "true"}});
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "warning: option debug.noSuchThing: not known here, and has no effect\n");
}

TEST_F(Mistakes, OptionsOfTheEnvironmentTakeThePlaceOfThoseOfTheProgram) {
  setenv("POPLAR_ENGINE_OPTIONS", R"({"ipusim.functionalSteps": "none"})", 1);
  const auto make = [&] {
    const poplar::Engine engine(graph, Sequence(), {{"ipusim.functionalSteps", "1"}});
  };
  EXPECT_THROW(make(), poplar::invalid_option);
  setenv("POPLAR_ENGINE_OPTIONS", R"({"debug.instrument": "true"})", 1);
  EXPECT_NO_THROW(make());
  setenv("POPLAR_ENGINE_OPTIONS", R"({"debug.instrument": true})", 1);
  EXPECT_THROW(make(), poplar::invalid_option);
  unsetenv("POPLAR_ENGINE_OPTIONS");
}

TEST_F(Mistakes, ElementsThatTwoVerticesWriteAreAWarningWithTheirRange) {
  std::stringstream source(
      "#include <poplar/Vertex.hpp>\nclass Set : public poplar::Vertex { public: "
      "poplar::Output<poplar::Vector<int>> out; void compute() { out[0] = 1; } };");
  try {
    graph.addCodelets(source);
  } catch (const poplar::no_environment& error) {
    GTEST_SKIP() << error.what();
  }
  const Tensor tensor = graph.addVariable(poplar::INT, {10}, "shared");
  graph.setTileMapping(tensor, 1);
  const auto compute_set = graph.addComputeSet("both");
  graph.setTileMapping(graph.addVertex(compute_set, "Set", {{"out", tensor.slice(0, 6)}}), 1);
  graph.setTileMapping(graph.addVertex(compute_set, "Set", {{"out", tensor.slice(4, 10)}}), 1);
  testing::internal::CaptureStderr();
  const poplar::Engine engine(graph, Execute(compute_set));
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "warning: compute set both: elements [4, 6) of shared are written by a Set and by a "
            "Set, in no said order (2 elements in all have two writers)\n");
}

TEST_F(Mistakes, AnUnknownOptionOfTheEngineIsNamed) {
  EXPECT_THROW(poplar::Engine(graph, Sequence(), {{"no.such.option", "1"}}),
               poplar::invalid_option);
}

}  // namespace
