// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "poplar/tests/runtime/small_device.h"

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
      const poplar::Engine engine(graph_, program);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  }

  poplar::Device device_ = fourTiles();
  poplar::Graph graph_{device_};
};

TEST_F(Mistakes, ElementsWithoutATileAreNamedWithTheirRanges) {
  const Tensor tensor = graph_.addVariable(poplar::FLOAT, {10}, "half mapped");
  graph_.setTileMapping(tensor.slice(2, 5), 1);
  EXPECT_EQ(errorOf<poplar::invalid_tile_mapping>(Copy(tensor.slice(0, 2), tensor.slice(2, 4))),
            "variable half mapped: wanted a tile for each of its 10 elements "
            "(Graph::setTileMapping), found none for [0, 2), [5, 10)");
}

TEST_F(Mistakes, ATileThatIsNotThereIsNamed) {
  const Tensor tensor = graph_.addVariable(poplar::FLOAT, {1}, "v");
  try {
    graph_.setTileMapping(tensor, 4);
    FAIL();
  } catch (const poplar::invalid_tile_mapping& error) {
    EXPECT_STREQ(error.what(), "setTileMapping of v{1}: wanted a tile below 4, found tile 4");
  }
}

TEST_F(Mistakes, ACopyOfOtherSizeIsRefusedWhenItIsMade) {
  const Tensor three = graph_.addVariable(poplar::FLOAT, {3}, "a");
  const Tensor four = graph_.addVariable(poplar::FLOAT, {4}, "b");
  EXPECT_THROW(Copy(three, four), poplar::control_program_error);
}

TEST_F(Mistakes, AConstantIsNotWritten) {
  const Tensor constant = graph_.addConstant<float>(poplar::FLOAT, {2}, {1, 2}, "c");
  const Tensor variable = graph_.addVariable(poplar::FLOAT, {2}, "v");
  EXPECT_THROW(Copy(variable, constant), poplar::control_program_error);
}

TEST_F(Mistakes, ATileThatOverflowsIsNamedWithItsBytes) {
  const Tensor large = graph_.addVariable(poplar::FLOAT, {200'000}, "large");  // 800 kB
  graph_.setTileMapping(large, 2);
  EXPECT_THAT(
      errorOf<poplar::graph_memory_allocation_error>(Copy(large.slice(0, 1), large.slice(1, 2))),
      HasSubstr("Out of memory on tile 2:"));
}

TEST_F(Mistakes, AnUnknownVertexTypeIsNamed) {
  const auto compute_set = graph_.addComputeSet("cs");
  try {
    graph_.addVertex(compute_set, "NoSuchVertex");
    FAIL();
  } catch (const poplar::unknown_vertex_type& error) {
    EXPECT_STREQ(error.what(),
                 "vertex NoSuchVertex: wanted a vertex type of the codelets of the graph, found "
                 "none of that name (Graph::addCodelets adds them)");
  }
}

TEST_F(Mistakes, TheNearestHandleIsNamed) {
  const Tensor tensor = graph_.addVariable(poplar::INT, {1}, "v");
  graph_.setTileMapping(tensor, 0);
  graph_.createHostRead("result", tensor);
  graph_.createHostWrite("results", tensor);
  const auto numbers = graph_.addHostToDeviceFIFO("numbers", poplar::INT, 1);
  poplar::Engine engine(graph_, Copy(numbers, tensor));
  int room = 0;
  EXPECT_THAT(fault([&] { engine.connectStream("nubmers", &room); }),
              HasSubstr("found none of that handle (did you mean numbers?)"));
  EXPECT_THAT(fault([&] { engine.readTensor("result", &room, &room + 1); }),
              HasSubstr("wanted one that is loaded on a device (Engine::load)"));
  engine.load(device_);
  EXPECT_EQ(fault([&] { engine.readTensor("reslt", &room, &room + 1); }),
            "handle reslt: wanted one of createHostRead, found none (did you mean result?)");
}

TEST_F(Mistakes, AHandleOfTwoStreamsIsNamed) {
  graph_.addHostToDeviceFIFO("in", poplar::INT, 4);
  EXPECT_THROW(graph_.addDeviceToHostFIFO("in", poplar::INT, 4),
               poplar::graph_object_creation_error);
}

TEST_F(Mistakes, AHandleOfTwoTensorsIsNamed) {
  const Tensor one = graph_.addVariable(poplar::INT, {1}, "one");
  graph_.createHostRead("values", one);
  graph_.createHostWrite("values", one);
  graph_.createHostRead("values", one);
  EXPECT_THROW(graph_.createHostRead("values", graph_.addVariable(poplar::INT, {2}, "two")),
               poplar::graph_object_creation_error);
}

TEST_F(Mistakes, AnOptionOfAKnownGroupThatIsNotKnownIsAWarning) {
  testing::internal::CaptureStderr();
  const poplar::Engine engine(graph_, Sequence(),
                              {{"debug.noSuchThing", "1"}, {"debug.instrument", "true"}});
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "warning: option debug.noSuchThing: not known here, and has no effect\n");
}

TEST_F(Mistakes, OptionsOfTheEnvironmentTakeThePlaceOfThoseOfTheProgram) {
  setenv("POPLAR_ENGINE_OPTIONS", R"({"ipusim.functionalSteps": "none"})", 1);
  const auto make = [&] {
    const poplar::Engine engine(graph_, Sequence(), {{"ipusim.functionalSteps", "1"}});
  };
  EXPECT_THROW(make(), poplar::invalid_option);
  setenv("POPLAR_ENGINE_OPTIONS", R"({"debug.instrument": "true"})", 1);
  EXPECT_NO_THROW(make());
  setenv("POPLAR_ENGINE_OPTIONS", R"({"debug.instrument": true})", 1);
  EXPECT_THROW(make(), poplar::invalid_option);
  unsetenv("POPLAR_ENGINE_OPTIONS");
}

TEST_F(Mistakes, ElementsThatTwoVerticesWriteAreAWarningWithTheirRange) {
  const std::string missing =
      codeletsMissing(graph_,
                      "#include <poplar/Vertex.hpp>\nclass Set : public poplar::Vertex { public: "
                      "poplar::Output<poplar::Vector<int>> out; void compute() { out[0] = 1; } };");
  if (!missing.empty()) GTEST_SKIP() << missing;
  const Tensor tensor = graph_.addVariable(poplar::INT, {10}, "shared");
  graph_.setTileMapping(tensor, 1);
  const auto compute_set = graph_.addComputeSet("both");
  graph_.setTileMapping(graph_.addVertex(compute_set, "Set", {{"out", tensor.slice(0, 6)}}), 1);
  graph_.setTileMapping(graph_.addVertex(compute_set, "Set", {{"out", tensor.slice(4, 10)}}), 1);
  testing::internal::CaptureStderr();
  const poplar::Engine engine(graph_, Execute(compute_set));
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "warning: compute set both: elements [4, 6) of shared are written by a Set and by a "
            "Set, in no said order (2 elements in all have two writers)\n");
}

TEST_F(Mistakes, AnUnknownOptionOfTheEngineIsNamed) {
  EXPECT_THROW(poplar::Engine(graph_, Sequence(), {{"no.such.option", "1"}}),
               poplar::invalid_option);
}

}  // namespace
