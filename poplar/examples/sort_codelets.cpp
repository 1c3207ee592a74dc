// SPDX-License-Identifier: Apache-2.0
#include <poplar/Vertex.hpp>

using namespace poplar;

/// Sorts a block in place: heap sort, whose time depends little on the numbers.
class SortBlock : public Vertex {
 public:
  InOut<Vector<float>> block;

  bool compute() {
    const unsigned count = block.size();
    for (unsigned root = count / 2; root-- > 0;) sink(root, count);
    for (unsigned end = count; end-- > 1;) {
      const float largest = block[0];
      block[0] = block[end];
      block[end] = largest;
      sink(0, end);
    }
    return true;
  }

 private:
  /// Moves an element down until no child is larger.
  void sink(unsigned root, unsigned end) {
    const float moved = block[root];
    for (unsigned child = 2 * root + 1; child < end; child = 2 * root + 1) {
      if (child + 1 < end && block[child] < block[child + 1]) ++child;
      if (!(moved < block[child])) break;
      block[root] = block[child];
      root = child;
    }
    block[root] = moved;
  }
};

/// The smallest numbers of two sorted blocks, as many as `smallest` takes.
class MergeLow : public Vertex {
 public:
  Input<Vector<float>> own;
  Input<Vector<float>> other;
  Output<Vector<float>> smallest;

  bool compute() {
    unsigned a = 0;
    unsigned b = 0;
    for (unsigned i = 0; i < smallest.size(); ++i) {
      const bool from_own = b == other.size() || (a < own.size() && !(other[b] < own[a]));
      smallest[i] = from_own ? own[a++] : other[b++];
    }
    return true;
  }
};

/// The largest numbers of two sorted blocks, as many as `largest` takes.
class MergeHigh : public Vertex {
 public:
  Input<Vector<float>> own;
  Input<Vector<float>> other;
  Output<Vector<float>> largest;

  bool compute() {
    unsigned a = own.size();
    unsigned b = other.size();
    for (unsigned i = largest.size(); i-- > 0;) {
      const bool from_own = b == 0 || (a > 0 && !(own[a - 1] < other[b - 1]));
      largest[i] = from_own ? own[--a] : other[--b];
    }
    return true;
  }
};

/// A block without a neighbour in this round.
class KeepBlock : public Vertex {
 public:
  Input<Vector<float>> own;
  Output<Vector<float>> kept;

  bool compute() {
    for (unsigned i = 0; i < kept.size(); ++i) kept[i] = own[i];
    return true;
  }
};
