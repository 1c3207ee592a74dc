// SPDX-License-Identifier: Apache-2.0
#include <ipudef.h>

#include <poplar/Vertex.hpp>

using namespace poplar;

// A blur of 3 x 3 points with weights 1 2 1, 2 4 2, 1 2 1 by 16. A point has four channels. `in`
// has a halo of one point on each side.

class BlurFloat : public Vertex {
 public:
  Input<Vector<float, VectorLayout::ONE_PTR>> in;
  Output<Vector<float, VectorLayout::ONE_PTR>> out;
  unsigned width;
  unsigned height;

  bool compute() {
    const unsigned pitch = 4 * (width + 2);
    for (unsigned y = 1; y <= height; ++y) {
      for (unsigned x = 1; x <= width; ++x) {
        for (unsigned c = 0; c < 4; ++c) {
          const unsigned at = y * pitch + 4 * x + c;
          out[4 * ((y - 1) * width + x - 1) + c] =
              1.f / 16 *
                  (in[at - pitch - 4] + in[at - pitch + 4] + in[at + pitch - 4] +
                   in[at + pitch + 4]) +
              4.f / 16 * in[at] +
              2.f / 16 * (in[at - pitch] + in[at - 4] + in[at + 4] + in[at + pitch]);
        }
      }
    }
    return true;
  }
};

class BlurFloat2 : public Vertex {
 public:
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> in;
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> out;
  unsigned width;
  unsigned height;

  bool compute() {
    const auto* from = reinterpret_cast<const float2*>(&in[0]);
    auto* to = reinterpret_cast<float2*>(&out[0]);
    const unsigned pitch = 2 * (width + 2);
    for (unsigned y = 1; y <= height; ++y) {
      for (unsigned x = 1; x <= width; ++x) {
#pragma unroll 2
        for (unsigned c = 0; c < 2; ++c) {
          const unsigned at = y * pitch + 2 * x + c;
          to[2 * ((y - 1) * width + x - 1) + c] =
              1.f / 16 *
                  (from[at - pitch - 2] + from[at - pitch + 2] + from[at + pitch - 2] +
                   from[at + pitch + 2]) +
              4.f / 16 * from[at] +
              2.f / 16 * (from[at - pitch] + from[at - 2] + from[at + 2] + from[at + pitch]);
        }
      }
    }
    return true;
  }
};

class BlurHalf4 : public Vertex {
 public:
  Input<Vector<half, VectorLayout::ONE_PTR, 8>> in;
  Output<Vector<half, VectorLayout::ONE_PTR, 8>> out;
  unsigned width;
  unsigned height;

  bool compute() {
    const auto* from = reinterpret_cast<const half4*>(&in[0]);
    auto* to = reinterpret_cast<half4*>(&out[0]);
    const unsigned pitch = width + 2;
    const half corner = 1.f / 16;
    const half side = 2.f / 16;
    const half middle = 4.f / 16;
    for (unsigned y = 1; y <= height; ++y) {
      for (unsigned x = 1; x <= width; ++x) {
        const unsigned at = y * pitch + x;
        to[(y - 1) * width + x - 1] =
            corner * (from[at - pitch - 1] + from[at - pitch + 1] + from[at + pitch - 1] +
                      from[at + pitch + 1]) +
            middle * from[at] +
            side * (from[at - pitch] + from[at - 1] + from[at + 1] + from[at + pitch]);
      }
    }
    return true;
  }
};
