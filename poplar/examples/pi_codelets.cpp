// SPDX-License-Identifier: Apache-2.0
#include <ipu_builtins.h>

#include <poplar/Vertex.hpp>

using namespace poplar;

/// Adds up `n` rectangles under 4 / (1 + x²), and counts the cycles that this takes.
class Rectangles : public Vertex {
 public:
  Input<unsigned> id;
  Input<unsigned> n;
  Input<float> width;
  Output<Vector<float>> sum;
  Output<Vector<unsigned>> cycles;

  bool compute() {
    const unsigned start = __builtin_ipu_get_scount_l();
    const unsigned begin = *id * *n;
    const unsigned end = begin + *n;
    const float step = *width;
    float total = 0;
    for (unsigned j = begin; j < end; ++j) {
      const float x = (j - 0.5f) * step;
      total += 4.0f / (1.0f + x * x);
    }
    sum[0] = total;
    cycles[0] = __builtin_ipu_get_scount_l() - start;
    return true;
  }
};
