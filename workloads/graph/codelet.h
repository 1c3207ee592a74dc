// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"
#include "models/ipu/system/machine.h"
#include "models/ipu/system/vertex_kind.h"

namespace ipusim::workloads {

enum class FieldDirection : std::uint8_t { Input, Output, InOut };

/// Where in a tile's memory the data of a field must lie.
enum class FieldMemory : std::uint8_t { Any, Interleaved };

/// `count` pointers of a field, each to `elements` consecutive elements.
struct EdgeGroup {
  std::uint64_t count;
  std::uint64_t elements;
};
using EdgeGroups = boost::container::small_vector<EdgeGroup, 1>;

/// A field of a vertex and the pointers it holds, one group after the other.
struct Field {
  std::string name;
  FieldDirection direction;
  models::ElementType type;
  EdgeGroups groups;
  FieldMemory memory = FieldMemory::Any;
  /// Index of a field whose data must lie in other memory elements, or -1.
  int apart_from = -1;

  [[nodiscard]] std::uint64_t edges() const;
  [[nodiscard]] std::uint64_t elements() const;
};

/// The data of one vertex while it runs: an address for every edge of every field.
class VertexData {
 public:
  virtual ~VertexData() = default;
  /// First byte of edge `edge` of field `field`.
  [[nodiscard]] virtual std::byte* edge(std::size_t field, std::uint64_t edge) const = 0;

  template <typename Element>
  [[nodiscard]] Element* as(std::size_t field, std::uint64_t edge_index) const {
    return reinterpret_cast<Element*>(edge(field, edge_index));
  }
};

/// A vertex type with its parameters: what it costs and what it computes. Immutable; the vertices
/// of a graph share it.
class Codelet {
 public:
  virtual ~Codelet() = default;

  /// The vendor's name of the vertex type, template arguments included. Code is counted once for
  /// each name on a tile.
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual models::VertexKind kind() const = 0;
  /// The fields, in the order that `compute` numbers them.
  [[nodiscard]] virtual const std::vector<Field>& fields() const = 0;

  /// Worker: issue slots. Supervisor: tile cycles. By the published estimate.
  [[nodiscard]] virtual Cycles cycles(const models::Machine& machine) const = 0;
  /// The vertex's own struct: pointers, sizes and scalars.
  [[nodiscard]] virtual Bytes stateBytes() const = 0;
  /// Tables behind the struct: pointer tables, worklists.
  [[nodiscard]] virtual Bytes fieldDataBytes() const { return Bytes(0); }
  /// Machine code of the vertex type.
  [[nodiscard]] virtual Bytes codeBytes() const = 0;
  [[nodiscard]] virtual Flops flops() const = 0;

  /// Reads and writes the vertex's data as the hardware would.
  virtual void compute(const VertexData& data) const = 0;
};

}  // namespace ipusim::workloads
