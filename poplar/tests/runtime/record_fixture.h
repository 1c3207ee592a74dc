// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "poplar/Engine.hpp"
#include "poplar/tests/runtime/small_device.h"

/// A vertex counts down from a number, which each run raises: its cycles depend on data.
inline const char* const kCountDown = R"(
#include <poplar/Vertex.hpp>
using namespace poplar;
class CountDown : public Vertex {
 public:
  InOut<int> number;
  Output<int> left;
  bool compute() {
    int sum = 0;
    for (int i = *number; i > 0; --i) sum = (sum * 3) ^ i;
    *left = 40 - *number > 0;
    *number = *number + 1 + (sum & 1);
    return true;
  }
};
)";

/// Four tiles, of one IPU or of two.
class Record : public testing::TestWithParam<unsigned> {
 protected:
  void SetUp() override {
    const std::string missing = codeletsMissing(graph_, kCountDown);
    if (!missing.empty()) GTEST_SKIP() << missing;
    numbers_ = graph_.addVariable(poplar::INT, {4}, "numbers");
    left_ = graph_.addVariable(poplar::INT, {4}, "left");
    graph_.setInitialValue(numbers_, std::vector<int>{3, 17, 8, 30});
    step_ = graph_.addComputeSet("step");
    for (unsigned tile = 0; tile < 4; ++tile) {
      graph_.setTileMapping(numbers_[tile], tile);
      graph_.setTileMapping(left_[tile], (tile + 1) % 4);
      const auto vertex =
          graph_.addVertex(step_, "CountDown", {{"number", numbers_[tile]}, {"left", left_[tile]}});
      graph_.setTileMapping(vertex, tile);
    }
    graph_.createHostRead("numbers", numbers_);
  }
  static std::vector<int> numbersOf(poplar::Engine& engine) {
    std::vector<int> values(4);
    engine.readTensor("numbers", values.data(), values.data() + values.size());
    return values;
  }

  poplar::Device device_ = GetParam() == 1 ? fourTiles() : twoIpus();
  poplar::Graph graph_{device_};
  poplar::Tensor numbers_;
  poplar::Tensor left_;
  poplar::ComputeSet step_;
};
