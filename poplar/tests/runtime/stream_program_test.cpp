// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <memory>
#include <string>

#include "poplar/tests/runtime/small_device.h"

namespace {

using namespace poplar::program;
using poplar::Tensor;
using testing::ElementsAre;

class StreamProgram : public testing::Test {
 protected:
  StreamProgram() {
    graph_.setTileMapping(tensor_.slice(0, 1), 0);
    graph_.setTileMapping(tensor_.slice(1, 2), 3);
  }

  poplar::Device device_ = fourTiles();
  poplar::Graph graph_{device_};
  Tensor tensor_ = graph_.addVariable(poplar::INT, {2}, "pair");
  poplar::DataStream in_ = graph_.addHostToDeviceFIFO("in", poplar::INT, 2);
  poplar::DataStream out_ = graph_.addDeviceToHostFIFO("out", poplar::INT, 2);
};

TEST_F(StreamProgram, EachTransferTakesTheNextPieceAndBeginsAgainAtTheEnd) {
  std::vector<int> from = {1, 2, 3, 4};
  std::vector<int> to(6);
  poplar::Engine engine(graph_, Sequence{Copy(in_, tensor_), Copy(tensor_, out_)});
  engine.connectStream("in", from.data(), from.data() + from.size());
  engine.connectStream(out_, to.data(), to.data() + to.size());
  engine.load(device_);
  for (int run = 0; run < 3; ++run) engine.run();
  EXPECT_THAT(to, ElementsAre(1, 2, 3, 4, 1, 2));
}

TEST_F(StreamProgram, WithoutAnEndEveryTransferUsesOnePlace) {
  std::vector<int> from = {5, 6};
  std::vector<int> to(2);
  poplar::Engine engine(graph_, Repeat(2, Sequence{Copy(in_, tensor_), Copy(tensor_, out_)}));
  engine.connectStream("in", from.data());
  engine.connectStream("out", to.data());
  engine.loadAndRun(device_);
  EXPECT_THAT(to, ElementsAre(5, 6));
}

/// Writes down what it is asked.
class Recorder : public poplar::StreamCallback {
 public:
  explicit Recorder(std::string& calls) : calls_(calls) {}
  Result prefetch(void* to) override {
    calls_ += "prefetch ";
    static_cast<int*>(to)[0] = 100;
    return Result::Success;
  }
  void fetch(void* to) override {
    calls_ += "fetch ";
    static_cast<int*>(to)[0] = 1;
  }
  void complete() override { calls_ += "complete "; }

 private:
  std::string& calls_;
};

TEST_F(StreamProgram, ACallbackFetchesAndCompletesEachTransfer) {
  std::string calls;
  poplar::Engine engine(graph_, Repeat(2, Copy(in_, tensor_)));
  engine.connectStreamToCallback("in", std::make_unique<Recorder>(calls));
  engine.loadAndRun(device_);
  EXPECT_EQ(calls, "fetch complete fetch complete ");
}

TEST_F(StreamProgram, APrefetchedTransferIsNotFetched) {
  std::string calls;
  std::vector<int> to(2);
  poplar::Engine engine(graph_, Repeat(2, Sequence{Copy(in_, tensor_), Copy(tensor_, out_)}),
                        {{"exchange.enablePrefetch", "true"}});
  engine.connectStreamToCallback("in", std::make_unique<Recorder>(calls));
  engine.connectStream("out", to.data());
  engine.loadAndRun(device_);
  EXPECT_EQ(calls, "fetch complete prefetch complete prefetch ");
  EXPECT_EQ(to[0], 100);
}

TEST_F(StreamProgram, HostWritesAndReadsReachAnyView) {
  const Tensor turned = tensor_.reverse(0);
  graph_.createHostWrite("write", turned);
  graph_.createHostRead("read", tensor_);
  poplar::Engine engine(graph_, Sequence());
  engine.load(device_);
  const std::vector<int> from = {8, 9};
  engine.writeTensor("write", from.data(), from.data() + 2);
  std::vector<int> to(2);
  engine.readTensor("read", to.data(), to.data() + 2);
  EXPECT_THAT(to, ElementsAre(9, 8));
}

TEST_F(StreamProgram, AStreamThatNothingIsConnectedToIsNamed) {
  poplar::Engine engine(graph_, Copy(in_, tensor_));
  engine.load(device_);
  try {
    engine.run();
    FAIL();
  } catch (const poplar::stream_connection_error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("stream in: wanted memory or a callback"));
  }
}

TEST_F(StreamProgram, AStreamThatNothingIsConnectedToMayHaveZeros) {
  graph_.setInitialValue<int>(tensor_, {1, 2});
  graph_.createHostRead("read", tensor_);
  poplar::Engine engine(graph_, Sequence{Copy(tensor_, out_), Copy(in_, tensor_)},
                        {{"ipusim.unconnectedStreams", "zeros"}});
  engine.loadAndRun(device_);
  std::vector<int> to(2, -1);
  engine.readTensor("read", to.data(), to.data() + 2);
  EXPECT_THAT(to, ElementsAre(0, 0));
}

TEST_F(StreamProgram, AnotherWordForUnconnectedStreamsIsRefused) {
  try {
    const poplar::Engine engine(graph_, Sequence(), {{"ipusim.unconnectedStreams", "yes"}});
    FAIL() << "was taken";
  } catch (const poplar::invalid_option& error) {
    EXPECT_STREQ(error.what(),
                 "option ipusim.unconnectedStreams: wanted error or zeros, found yes");
  }
}

}  // namespace
