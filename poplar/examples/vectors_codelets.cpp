// SPDX-License-Identifier: Apache-2.0
#include <ipu_builtins.h>
#include <ipudef.h>

#include <ipu_memory_intrinsics>
#include <poplar/Vertex.hpp>

using namespace poplar;

/// Rotates points (x, y) by an angle. Worker w has the pairs from shares[w] to shares[w + 1].
class Rotate : public MultiVertex {
 public:
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> x;
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> y;
  Input<Vector<unsigned short, VectorLayout::ONE_PTR>> shares;
  float c;
  float s;
  Output<Vector<unsigned>> cycles;

  bool compute(unsigned worker) {
    const unsigned start = __builtin_ipu_get_scount_l();
    const unsigned begin = shares[worker];
    const unsigned mine = shares[worker + 1] - begin;
    auto* xs = reinterpret_cast<float2*>(&x[0]) + begin;
    auto* ys = reinterpret_cast<float2*>(&y[0]) + begin;
    const float cosine = c;
    const float sine = s;
    const auto* from_x = xs;
    const auto* from_y = ys;
    for (unsigned i = 0; i < mine; ++i) {
      const float2 a = ipu::load_postinc(&from_x, 1);
      const float2 b = ipu::load_postinc(&from_y, 1);
      ipu::store_postinc(&xs, cosine * a - sine * b, 1);
      ipu::store_postinc(&ys, sine * a + cosine * b, 1);
    }
    cycles[worker] = __builtin_ipu_get_scount_l() - start;
    return true;
  }
};

/// x += scale * y.
class AddScaled : public MultiVertex {
 public:
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> x;
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> y;
  Input<Vector<unsigned short, VectorLayout::ONE_PTR>> shares;
  float c;
  float s;
  Output<Vector<unsigned>> cycles;

  bool compute(unsigned worker) {
    const unsigned start = __builtin_ipu_get_scount_l();
    const unsigned begin = shares[worker];
    const unsigned mine = shares[worker + 1] - begin;
    auto* xs = reinterpret_cast<float2*>(&x[0]) + begin;
    const float2* from_x = xs;
    const auto* from_y = reinterpret_cast<const float2*>(&y[0]) + begin;
    const float scale = c;
    for (unsigned i = 0; i < mine; ++i) {
      const float2 a = ipu::load_postinc(&from_x, 1);
      ipu::store_postinc(&xs, a + scale * ipu::load_postinc(&from_y, 1), 1);
    }
    cycles[worker] = __builtin_ipu_get_scount_l() - start;
    return true;
  }
};
