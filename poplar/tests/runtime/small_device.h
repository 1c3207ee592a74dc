// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "poplar/Engine.hpp"
#include "poplar/IPUModel.hpp"

/// A device of four tiles.
inline poplar::Device fourTiles() {
  poplar::IPUModel model;
  model.tilesPerIPU = 4;
  return model.createDevice();
}

/// A device of two IPUs with two tiles each.
inline poplar::Device twoIpus() {
  poplar::IPUModel model;
  model.numIPUs = 2;
  model.tilesPerIPU = 2;
  return model.createDevice();
}

/// 0, 1, 2 …
inline std::vector<int> countingUp(std::size_t count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

/// Runs `program` once, and returns what a tensor then holds.
inline std::vector<int> valuesAfter(poplar::Graph& graph, const poplar::Device& device,
                                    const poplar::program::Program& program,
                                    const poplar::Tensor& tensor) {
  graph.createHostRead("values", tensor);
  poplar::Engine engine(graph, program);
  engine.loadAndRun(device);
  std::vector<int> values(tensor.numElements());
  engine.readTensor("values", values.data(), values.data() + values.size());
  return values;
}

/// Adds codelets to a graph. Returns why a test of them must be skipped, or an empty text.
inline std::string codeletsMissing(poplar::Graph& graph, const std::string& codelets) {
  std::stringstream source(codelets);
  try {
    graph.addCodelets(source);
  } catch (const poplar::no_environment& missing) {
    return missing.what();
  }
  return "";
}

/// What a call says that goes wrong.
template <typename Act>
std::string fault(const Act& act) {
  try {
    act();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing";
}

/// What a view of a counting tensor of that shape holds.
template <typename View>
std::vector<int> elementsOf(const std::vector<std::size_t>& shape, const View& view) {
  const poplar::Device device = fourTiles();
  poplar::Graph graph(device);
  const poplar::Tensor tensor = graph.addVariable(poplar::INT, shape, "tensor");
  const poplar::Tensor flat = tensor.flatten();
  for (unsigned i = 0; i < flat.numElements(); ++i) graph.setTileMapping(flat[i], i % 4);
  graph.setInitialValue(tensor, countingUp(tensor.numElements()));
  return valuesAfter(graph, device, poplar::program::Sequence(), view(tensor));
}
