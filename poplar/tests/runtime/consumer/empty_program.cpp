// SPDX-License-Identifier: Apache-2.0
#include <poplar/Engine.hpp>

int main() {
  poplar::Graph graph;
  const poplar::Engine engine(graph, poplar::program::Sequence());
}
