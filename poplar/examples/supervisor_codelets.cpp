// SPDX-License-Identifier: Apache-2.0
#include <poplar/Vertex.hpp>

using namespace poplar;

/// Keeps the supervisor busy for a number of passes of a loop.
class Busy : public SupervisorVertex {
 public:
  unsigned passes;

  __attribute__((target("supervisor"))) bool compute() {
    for (volatile unsigned i{}; i < passes; ++i) {
    }
    return true;
  }
};
