// SPDX-License-Identifier: Apache-2.0
#include <poplar/Vertex.hpp>

using namespace poplar;

/// Sums numbers in six shares, one of each worker: worker w has numbers w, w + 6, w + 12 …
class SumShares : public MultiVertex {
 public:
  Input<Vector<float>> numbers;
  Output<Vector<float>> sums;

  bool compute(unsigned worker) {
    float sum = 0;
    for (unsigned i = worker; i < numbers.size(); i += numWorkers()) sum += numbers[i];
    sums[worker] = sum;
    return true;
  }
};

/// Sums numbers in their order.
class SumInOrder : public Vertex {
 public:
  Input<Vector<float>> numbers;
  Output<float> sum;

  bool compute() {
    float total = 0;
    for (unsigned i = 0; i < numbers.size(); ++i) total += numbers[i];
    *sum = total;
    return true;
  }
};
