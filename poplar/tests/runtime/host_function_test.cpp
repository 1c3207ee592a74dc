// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <memory>
#include <numeric>
#include <sstream>

#include "poplar/tests/runtime/small_device.h"

namespace {

using namespace poplar::program;
using poplar::ArrayRef;
using poplar::Tensor;
using testing::ElementsAre;
using testing::HasSubstr;

const int* intsAt(const void* memory) {
  return static_cast<const int*>(memory);
}

/// Multiplies each element by how often it was called.
class Scaled : public poplar::HostCallback {
 public:
  void operator()(ArrayRef<const void*> inputs, ArrayRef<void*> outputs) override {
    ++calls_;
    for (int i = 0; i < 3; ++i) static_cast<int*>(outputs[0])[i] = calls_ * intsAt(inputs[0])[i];
  }

 private:
  int calls_ = 0;
};

class HostFunctions : public testing::Test {
 protected:
  Tensor mapped(const std::vector<int>& values) {
    Tensor tensor = graph_.addVariable(poplar::INT, {values.size()}, "v");
    for (unsigned i = 0; i < values.size(); ++i) graph_.setTileMapping(tensor[i], i % 4);
    graph_.setInitialValue(tensor, values);
    return tensor;
  }
  static std::vector<int> valuesOf(poplar::Engine& engine) {
    std::vector<int> values(3);
    engine.readTensor("values", values.data(), values.data() + values.size());
    return values;
  }

  poplar::Device device_ = fourTiles();
  poplar::Graph graph_{device_};
};

TEST_F(HostFunctions, TakeAndGiveElements) {
  const Tensor a = mapped({1, 2, 3});
  const Tensor b = mapped({10, 20});
  const Tensor sums = mapped({0, 0, 0});
  const Tensor count = mapped({0});
  graph_.createHostRead("values", sums);
  graph_.createHostRead("count", count);
  const poplar::HostFunction add = graph_.addHostFunction(
      "add", {{poplar::INT, 3}, {poplar::INT, 2}}, {{poplar::INT, 3}, {poplar::INT, 1}});
  poplar::Engine engine(graph_, Call(add, {a, b}, {sums, count}));
  engine.connectHostFunction(
      "add", 0, [](const ArrayRef<const void*>& in, const ArrayRef<void*>& out) {
        for (int i = 0; i < 3; ++i) {
          static_cast<int*>(out[0])[i] = intsAt(in[0])[i] + intsAt(in[1])[i % 2];
        }
        *static_cast<int*>(out[1]) = static_cast<int>(in.size() + out.size());
      });
  engine.loadAndRun(device_);
  EXPECT_THAT(valuesOf(engine), ElementsAre(11, 22, 13));
  int arguments = 0;
  engine.readTensor("count", &arguments, &arguments + 1);
  EXPECT_EQ(arguments, 4);
}

TEST_F(HostFunctions, AreCalledInTheOrderOfTheProgram) {
  const Tensor values = mapped({1, 2, 3});
  graph_.createHostRead("values", values);
  const poplar::HostFunction scale =
      graph_.addHostFunction("scale", {{poplar::INT, 3}}, {{poplar::INT, 3}});
  poplar::Engine engine(graph_, Repeat(4, Call(scale, {values}, {values})));
  engine.connectHostFunction("scale", 0, std::make_unique<Scaled>());
  engine.loadAndRun(device_);
  EXPECT_THAT(valuesOf(engine), ElementsAre(24, 48, 72));
}

TEST_F(HostFunctions, TakeTheTimeOfTheirTransfers) {
  const auto cycles = [this](const Program& program) {
    poplar::Engine engine(graph_, program);
    if (engine.getTimeStamp().cycles != 0) return std::uint64_t{0};
    std::vector<int> room(3);
    try {
      engine.connectHostFunction("scale", 0, std::make_unique<Scaled>());
      engine.connectStream("out", room.data());
      engine.connectStream("in", room.data());
    } catch (const poplar::stream_connection_error&) {
    }
    engine.loadAndRun(device_);
    return engine.getTimeStamp().cycles;
  };
  const Tensor values = mapped({1, 2, 3});
  const auto out = graph_.addDeviceToHostFIFO("out", poplar::INT, 3);
  const auto in = graph_.addHostToDeviceFIFO("in", poplar::INT, 3);
  const auto scale = graph_.addHostFunction("scale", {{poplar::INT, 3}}, {{poplar::INT, 3}});
  const std::uint64_t transfers = cycles(Sequence{Copy(values, out), Copy(in, values)});
  EXPECT_GT(transfers, 0U);
  EXPECT_EQ(cycles(Call(scale, {values}, {values})), transfers);
}

TEST_F(HostFunctions, AreSavedWithTheirProgram) {
  const Tensor values = mapped({1, 2, 3});
  graph_.createHostRead("values", values);
  const auto scale = graph_.addHostFunction("scale", {{poplar::INT, 3}}, {{poplar::INT, 3}});
  std::stringstream file;
  poplar::compileGraph(graph_, {Repeat(3, Call(scale, {values}, {values}))}).serialize(file);
  poplar::Engine engine(poplar::Executable::deserialize(file));
  engine.connectHostFunction("scale", 0, std::make_unique<Scaled>());
  engine.loadAndRun(device_);
  EXPECT_THAT(valuesOf(engine), ElementsAre(6, 12, 18));
}

TEST_F(HostFunctions, MistakesAreNamed) {
  const Tensor values = mapped({1, 2, 3});
  const auto scale = graph_.addHostFunction("scale", {{poplar::INT, 3}}, {{poplar::INT, 3}});
  EXPECT_THAT(fault([&] { Call(scale, {values.slice(0, 2)}, {values}); }),
              HasSubstr("wanted 3 elements of int, found 2 of int"));
  EXPECT_THAT(fault([&] { Call(scale, {values}, {}); }), HasSubstr("wanted 1 tensors, found 0"));
  EXPECT_THAT(fault([&] { graph_.addHostFunction("scale", {}, {}); }), HasSubstr("a second one"));
  poplar::Engine engine(graph_, Call(scale, {values}, {values}));
  EXPECT_THAT(fault([&] { engine.connectHostFunction("other", 0, std::make_unique<Scaled>()); }),
              HasSubstr("host function other: wanted one of the graph"));
  EXPECT_THAT(fault([&] { engine.loadAndRun(device_); }),
              HasSubstr("host function scale: wanted a callback"));
}

}  // namespace
