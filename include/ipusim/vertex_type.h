// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ipusim/machine.h"
#include "ipusim/units.h"
#include "ipusim/vertex_kind.h"

namespace ipusim {

enum class FieldDirection : std::uint8_t { Input, Output, InOut };

/// Where in a tile's memory the data of a field must lie.
enum class FieldMemory : std::uint8_t { Any, Interleaved };

/// `count` pointers of a field, each to `elements` consecutive elements.
struct EdgeGroup {
  std::uint64_t count;
  std::uint64_t elements;

  friend bool operator==(const EdgeGroup& a, const EdgeGroup& b) {
    return a.count == b.count && a.elements == b.elements;
  }
};
using EdgeGroups = boost::container::small_vector<EdgeGroup, 1>;

/// A field of a vertex and the pointers it holds, one group after the other.
struct Field {
  std::string name;
  FieldDirection direction;
  ElementType type;
  EdgeGroups groups;
  FieldMemory memory = FieldMemory::Any;
  /// Index of a field whose data must lie in other memory elements than this field's, or -1.
  int apart_from = -1;

  [[nodiscard]] std::uint64_t edges() const;
  [[nodiscard]] std::uint64_t elements() const;
  friend bool operator==(const Field& a, const Field& b);
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

/// A named value that a vertex type was made from: a size, a factor, a word or a list of sizes.
struct Param {
  std::string name;
  std::variant<std::uint64_t, double, std::string, std::vector<std::uint64_t>> value;

  friend bool operator==(const Param& a, const Param& b) {
    return a.name == b.name && a.value == b.value;
  }
};
using Params = std::vector<Param>;

/// Who wrote the code of a vertex type.
enum class Origin : std::uint8_t {
  Library,  ///< hand-tuned code, as in the vendor's library: cycles by published estimates
  User,     ///< C++ of a user, compiled by the vendor's compiler
};

struct VertexSizes {
  Bytes state;       ///< the vertex's own struct: pointers, sizes and scalars
  Bytes field_data;  ///< tables behind the struct: pointer tables, worklists
  Bytes code;        ///< machine code, which a tile holds once per name of a vertex type

  friend bool operator==(const VertexSizes& a, const VertexSizes& b) {
    return a.state == b.state && a.field_data == b.field_data && a.code == b.code;
  }
};

/// What one vertex computes, and the operand data that it moves between tile memory and registers.
/// Pointers, worklists and other tables are not operand data.
struct VertexWork {
  Flops flops;  ///< all floating-point operations; a multiply-add counts as two
  Bytes loads;
  Bytes stores;
  std::uint64_t half_macs = 0;   ///< multiply-adds in `flops` with half operands
  std::uint64_t float_macs = 0;  ///< multiply-adds in `flops` with float operands

  /// The floating-point operations that are no multiply-adds.
  [[nodiscard]] Flops otherFlops() const;
  friend bool operator==(const VertexWork& a, const VertexWork& b) {
    return a.flops == b.flops && a.loads == b.loads && a.stores == b.stores &&
           a.half_macs == b.half_macs && a.float_macs == b.float_macs;
  }
};

/// The work of a vertex that loads each element of its inputs once and stores each element of its
/// outputs once.
VertexWork workOn(const std::vector<Field>& fields, Flops flops);
/// `work`, in which `macs` multiply-adds on `operands`, half or float, are part of the operations.
VertexWork withMacs(VertexWork work, ElementType operands, std::uint64_t macs);
/// `work`, in which all operations are multiply-adds on `operands`, half or float.
VertexWork allMacs(const VertexWork& work, ElementType operands);

/// The cost by the published estimate. Worker: issue slots. Supervisor: tile cycles.
using CostFunction = std::function<Cycles(const Architecture&)>;
/// Reads and writes the vertex's data as the hardware would.
using ComputeFunction = std::function<void(const VertexData&)>;

/// A vertex type with its parameters: what a vertex costs and what it computes.
///
/// The vertices of a graph share it by std::shared_ptr<const VertexType>. `cost` and `compute` may
/// be called from several threads as long as they change nothing that the calls share.
struct VertexType {
  /// The vendor's name of the vertex type, template arguments included.
  std::string name;
  /// The entry in the table of vertex types (workloads/vertices/table.h) that makes an equal type
  /// from `params`. Empty for a type that is not in the table.
  std::string maker;
  Params params;
  Origin origin = Origin::Library;
  VertexKind kind = VertexKind::Worker;
  /// The fields, in the order by which `compute` numbers them.
  std::vector<Field> fields;
  VertexSizes sizes;
  VertexWork work;
  /// Empty: the cycles depend on data. The execution record then holds the cycles
  /// (ipusim/execution_record.h); executing the vertices writes it.
  CostFunction cost;
  ComputeFunction compute;

  /// Calls `cost`. Throws InternalError, which names the type, when `cost` is empty.
  [[nodiscard]] Cycles cycles(const Architecture& machine) const;

  /// Compares all but the two functions, which `maker` and `params` stand for.
  friend bool operator==(const VertexType& a, const VertexType& b);
  friend bool operator!=(const VertexType& a, const VertexType& b) { return !(a == b); }
};

/// Puts `type` where the families of a graph can share it.
inline std::shared_ptr<const VertexType> shared(VertexType type) {
  return std::make_shared<const VertexType>(std::move(type));
}

/// Writes the table entry and the parameters of `type` as lines of TOML. vertexType() of
/// ipusim/vertex_table.h reads them.
std::string toText(const VertexType& type);

}  // namespace ipusim
