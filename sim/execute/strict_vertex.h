// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "ipusim/vertex_type.h"
#include "sim/execute/byte_owners.h"

namespace ipusim::executor {

/// What one edge points at.
struct EdgeBytes {
  std::byte* first;
  BlockBytes place;
};

/// Computes one vertex of a strict run, and finds which bytes of its outputs are meaningful.
///
/// A vertex may be given bytes that nothing has written, as long as no result depends on them: a
/// matrix is padded to whole groups, and a slice of a variable is updated before the others are. A
/// vertex with such bytes computes several times, each time with another value in these bytes.
/// Output bytes that differ between the computations count as unwritten.
class StrictVertex {
 public:
  /// The arguments must outlive this.
  StrictVertex(const VertexType& type, ByteOwners& owners) : type_(type), owners_(owners) {}

  /// Adds an edge of field `field`. Throws InternalError, which names the field, where the vertex
  /// reads bytes that another block has written over.
  void add(std::size_t field, const EdgeBytes& edge);

  /// Call this when all edges are added.
  void compute(const VertexData& data);

 private:
  void computeWith(std::byte filler, const VertexData& data);
  [[nodiscard]] std::vector<std::byte> outputBytes() const;
  void markOutputs(const std::vector<std::vector<std::byte>>& results);

  const VertexType& type_;
  ByteOwners& owners_;
  std::vector<std::byte*> unwritten_;  ///< unwritten bytes of the inputs
  std::vector<EdgeBytes> outputs_;
  std::vector<std::byte> before_;  ///< what the outputs held before the vertex ran
};

}  // namespace ipusim::executor
