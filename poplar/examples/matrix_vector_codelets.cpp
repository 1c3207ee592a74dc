// SPDX-License-Identifier: Apache-2.0
#include <poplar/Vertex.hpp>

using namespace poplar;

class Dot : public Vertex {
 public:
  Input<Vector<float>> a;
  Input<Vector<float>> b;
  Output<float> out;

  bool compute() {
    float sum = 0;
    for (unsigned i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    *out = sum;
    return true;
  }
};

class Sum : public Vertex {
 public:
  Input<Vector<float>> in;
  Output<float> out;

  bool compute() {
    float sum = 0;
    for (unsigned i = 0; i < in.size(); ++i) sum += in[i];
    *out = sum;
    return true;
  }
};
