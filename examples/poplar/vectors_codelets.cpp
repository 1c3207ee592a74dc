// SPDX-License-Identifier: Apache-2.0
#include <ipu_builtins.h>
#include <ipudef.h>

#include <ipu_memory_intrinsics>
#include <poplar/Vertex.hpp>

using namespace poplar;

/// Rotates pairs (x, y) by an angle: six workers share the vectors.
class Rotate : public MultiVertex {
 public:
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> x;
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> y;
  unsigned pairs;
  float c;
  float s;
  Output<Vector<unsigned>> cycles;

  bool compute(unsigned worker) {
    const unsigned start = __builtin_ipu_get_scount_l();
    auto* xs = reinterpret_cast<float2*>(&x[0]) + worker;
    auto* ys = reinterpret_cast<float2*>(&y[0]) + worker;
    const unsigned mine = (pairs + numWorkers() - 1 - worker) / numWorkers();
    const float2 cosine = {c, c};
    const float2 sine = {s, s};
    const auto* from_x = xs;
    const auto* from_y = ys;
    for (unsigned i = 0; i < mine; ++i) {
      const float2 a = ipu::load_postinc(&from_x, 6);
      const float2 b = ipu::load_postinc(&from_y, 6);
      ipu::store_postinc(&xs, cosine * a - sine * b, 6);
      ipu::store_postinc(&ys, sine * a + cosine * b, 6);
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
  unsigned pairs;
  float c;
  float s;
  Output<Vector<unsigned>> cycles;

  bool compute(unsigned worker) {
    const unsigned start = __builtin_ipu_get_scount_l();
    auto* xs = reinterpret_cast<float2*>(&x[0]) + worker;
    const float2* from_x = xs;
    const auto* from_y = reinterpret_cast<const float2*>(&y[0]) + worker;
    const unsigned mine = (pairs + numWorkers() - 1 - worker) / numWorkers();
    const float2 scale = {c, c};
    for (unsigned i = 0; i < mine; ++i) {
      const float2 a = ipu::load_postinc(&from_x, 6);
      ipu::store_postinc(&xs, a + scale * ipu::load_postinc(&from_y, 6), 6);
    }
    cycles[worker] = __builtin_ipu_get_scount_l() - start;
    return true;
  }
};
