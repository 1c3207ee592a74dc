// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>

#include "poplar/tests/runtime/small_device.h"

/// A graph on four tiles and a program of operations of the library. Without a compiler for the
/// vertices that the library writes, tests are skipped.
class LibraryProgram : public testing::Test {
 public:
  void SetUp() override {
    const std::string missing = codeletsMissing(graph, "#include <poplar/Vertex.hpp>\n");
    if (!missing.empty()) GTEST_SKIP() << missing;
  }

  /// A tensor whose elements lie on the four tiles by turns.
  template <typename T>
  poplar::Tensor spread(const std::vector<std::size_t>& shape, const std::vector<T>& values) {
    poplar::Tensor tensor =
        graph.addVariable(poplar::equivalent_device_type<T>().value, shape, "v");
    const poplar::Tensor flat = tensor.flatten();
    for (unsigned i = 0; i < flat.numElements(); ++i) graph.setTileMapping(flat[i], i / 3 % 4);
    graph.setInitialValue(tensor, poplar::ArrayRef<T>(values));
    return tensor;
  }

  /// What a tensor of type T holds after the program.
  template <typename T>
  std::vector<T> after(const poplar::Tensor& tensor) {
    graph.createHostRead("values", tensor);
    poplar::Engine engine(graph, program);
    engine.loadAndRun(device);
    std::vector<unsigned char> bytes(tensor.numElements() * sizeof(T));
    engine.readTensor("values", bytes.data(), bytes.data() + bytes.size());
    std::vector<T> values(tensor.numElements());
    for (std::size_t i = 0; i < values.size(); ++i) {
      T value;
      std::memcpy(&value, &bytes[i * sizeof(T)], sizeof(T));
      values[i] = value;
    }
    return values;
  }

  poplar::Device device = fourTiles();
  poplar::Graph graph{device};
  poplar::program::Sequence program;
};
