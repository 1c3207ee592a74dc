// SPDX-License-Identifier: Apache-2.0
#include <ipudef.h>

#include <poplar/Vertex.hpp>

using namespace poplar;

/// A step of the heat equation on a rectangle. Rows of `in` have a halo of one point on each side.
class Heat2D : public Vertex {
 public:
  Vector<Input<Vector<float, VectorLayout::SPAN, 8>>> in;
  Vector<Output<Vector<float, VectorLayout::SPAN, 4>>> out;
  unsigned width;
  unsigned height;
  float alpha;

  bool compute() {
    const float beta = 1.0f - 4.0f * alpha;
    for (unsigned y = 1; y <= height; ++y) {
      edge(y, 1, beta);
      if (width % 2 == 0) edge(y, width, beta);
    }
    const unsigned pairs = (width - 1) / 2;
    for (unsigned y = 1; y <= height; ++y) {
      const auto* above = reinterpret_cast<const float2*>(&in[y - 1][0]);
      const auto* middle = reinterpret_cast<const float2*>(&in[y][0]);
      const auto* below = reinterpret_cast<const float2*>(&in[y + 1][0]);
      float* to = &out[y - 1][0];
      for (unsigned p = 1; p <= pairs; ++p) {
        float2 sum = {middle[p - 1].y + middle[p].y, middle[p].x + middle[p + 1].x};
        sum = beta * middle[p] + alpha * (sum + above[p] + below[p]);
        to[2 * p - 1] = sum.x;
        to[2 * p] = sum.y;
      }
    }
    return true;
  }

 private:
  void edge(unsigned y, unsigned x, float beta) {
    out[y - 1][x - 1] =
        beta * in[y][x] + alpha * (in[y][x - 1] + in[y][x + 1] + in[y - 1][x] + in[y + 1][x]);
  }
};

/// A step on a block, one point at a time. Rows along z: row x * (width + 2) + y of `in` has halos.
class Heat3DSimple : public Vertex {
 public:
  Vector<Input<Vector<float, VectorLayout::SPAN, 8>>> in;
  Vector<Output<Vector<float, VectorLayout::SPAN, 4>>> out;
  unsigned height;
  unsigned width;
  unsigned depth;
  float alpha;

  bool compute() {
    const float beta = 1.0f - 6.0f * alpha;
    const unsigned pitch = width + 2;
    for (unsigned x = 1; x <= height; ++x) {
      for (unsigned y = 1; y <= width; ++y) {
        for (unsigned z = 1; z <= depth; ++z) {
          out[(x - 1) * width + y - 1][z - 1] =
              beta * in[x * pitch + y][z] +
              alpha * (in[x * pitch + y][z - 1] + in[x * pitch + y][z + 1] +
                       in[x * pitch + y - 1][z] + in[x * pitch + y + 1][z] +
                       in[(x - 1) * pitch + y][z] + in[(x + 1) * pitch + y][z]);
        }
      }
    }
    return true;
  }
};

/// A step on a block, two points along z at a time. Rows are as in Heat3DSimple.
class Heat3DPairs : public Vertex {
 public:
  Vector<Input<Vector<float, VectorLayout::SPAN, 8>>> in;
  Vector<Output<Vector<float, VectorLayout::SPAN, 4>>> out;
  unsigned height;
  unsigned width;
  unsigned depth;
  float alpha;

  bool compute() {
    const float beta = 1.0f - 6.0f * alpha;
    const unsigned pitch = width + 2;
    const bool is_even = depth % 2 == 0;
    for (unsigned x = 1; x <= height; ++x) {
      for (unsigned y = 1; y <= width; ++y) {
        edge(x * pitch + y, (x - 1) * width + y - 1, 1, beta);
        if (is_even) edge(x * pitch + y, (x - 1) * width + y - 1, depth, beta);
      }
    }
    const unsigned pairs = (depth - 1) / 2;
    for (unsigned x = 1; x <= height; ++x) {
      for (unsigned y = 1; y <= width; ++y) {
        const auto* middle = reinterpret_cast<const float2*>(&in[x * pitch + y][0]);
        const auto* left = reinterpret_cast<const float2*>(&in[x * pitch + y - 1][0]);
        const auto* right = reinterpret_cast<const float2*>(&in[x * pitch + y + 1][0]);
        const auto* above = reinterpret_cast<const float2*>(&in[(x - 1) * pitch + y][0]);
        const auto* below = reinterpret_cast<const float2*>(&in[(x + 1) * pitch + y][0]);
        float* to = &out[(x - 1) * width + y - 1][0];
        for (unsigned p = 1; p <= pairs; ++p) {
          float2 sum = {middle[p - 1].y + middle[p].y, middle[p].x + middle[p + 1].x};
          sum = beta * middle[p] + alpha * (sum + left[p] + right[p] + above[p] + below[p]);
          to[2 * p - 1] = sum.x;
          to[2 * p] = sum.y;
        }
      }
    }
    return true;
  }

 private:
  void edge(unsigned row, unsigned to, unsigned z, float beta) {
    const unsigned pitch = width + 2;
    out[to][z - 1] =
        beta * in[row][z] + alpha * (in[row][z - 1] + in[row][z + 1] + in[row - 1][z] +
                                     in[row + 1][z] + in[row - pitch][z] + in[row + pitch][z]);
  }
};
