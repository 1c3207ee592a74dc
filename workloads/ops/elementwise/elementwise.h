// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ipusim/graph.h"
#include "models/ipu/cost/elementwise/binary_op.h"
#include "models/ipu/cost/elementwise/unary_op.h"
#include "workloads/vertices/runs.h"

namespace ipusim::workloads {

/// Shares the runs of `lengths` between at most `workers` vertices, as the vendor's library does:
/// in grains of `grain` elements, with at least two grains per vertex. A run is cut where a vertex
/// is full.
/// Source: graphcore/poplibs lib/poputil/Util.cpp (MIT), splitRegionsBetweenWorkers.
std::vector<std::vector<std::uint64_t>> splitRuns(const std::vector<std::uint64_t>& lengths,
                                                  std::uint64_t workers, std::uint64_t grain);

/// The forms of an elementwise vertex that the library has.
enum class VertexForms : std::uint8_t {
  Both,  ///< 1D for a tile with a single run of elements, 2D for any other
  List,  ///< 2D alone
};

/// Elementwise operations on whole tensors, with one compute set each, placed as the vendor's
/// library does. The vertices are where the first operand lies; operands that lie elsewhere are
/// sent there. A tile with a single run of elements has one 1D vertex. Any other tile has up to one
/// 2D vertex per worker. Tensors have one dimension and consecutive elements.
/// Source: graphcore/poplibs lib/popops/ElementWise.cpp (MIT).
class Elementwise {
 public:
  /// Adds variables and vertices to `graph`, and the steps to `program`. The arguments must outlive
  /// this object.
  Elementwise(Graph& graph, const Architecture& machine, Program& program)
      : graph_(graph), machine_(machine), program_(program) {}

  Tensor unary(models::UnaryOp op, const Tensor& in, const std::string& name, Lifetime lifetime);
  void unaryInPlace(models::UnaryOp op, const Tensor& in_out, const std::string& name);
  Tensor binary(models::BinaryOp op, const Tensor& left, const Tensor& right,
                const std::string& name, Lifetime lifetime);
  void binaryInPlace(models::BinaryOp op, const Tensor& left_out, const Tensor& right,
                     const std::string& name);
  /// `in` times a scale. Every tile of `in` has a copy of the scale.
  Tensor scale(const Tensor& in, double factor, const std::string& name, Lifetime lifetime);
  void scaleInPlace(const Tensor& in_out, double factor, const std::string& name);
  /// `in` op `number`, where the operator has a cost beside one number; of a comparison, bools.
  /// Every tile of `in` has a copy of the number.
  Tensor withScalar(models::BinaryOp op, const Tensor& in, double number, const std::string& name,
                    Lifetime lifetime);
  /// `in` op the one element of `scalar`, of the type of `in`. Every tile of `in` is sent it.
  Tensor withScalar(models::BinaryOp op, const Tensor& in, const Tensor& scalar,
                    const std::string& name, Lifetime lifetime);
  void withScalarInPlace(models::BinaryOp op, const Tensor& in_out, double number,
                         const std::string& name);
  void withScalarInPlace(models::BinaryOp op, const Tensor& in_out, const Tensor& scalar,
                         const std::string& name);
  /// Adds a number to each element.
  void addScalarInPlace(const Tensor& in_out, double number, const std::string& name);
  /// sum += factor * more.
  void scaledAdd(const Tensor& sum, const Tensor& more, double factor, const std::string& name);
  Tensor cast(const Tensor& in, ElementType type, const std::string& name, Lifetime lifetime);
  /// The elements of `yes` where `condition`, of bools, is true, and those of `no` elsewhere.
  struct Choice {
    Tensor condition;
    Tensor yes;
    Tensor no;
  };
  Tensor select(const Choice& choice, const std::string& name, Lifetime lifetime);
  struct Bounds {
    double low;
    double high;
  };
  /// min(max(in, low), high). Every tile of `in` has a copy of the bounds.
  Tensor clamp(const Tensor& in, const Bounds& bounds, const std::string& name, Lifetime lifetime);

  /// Adds a variable "name/Out" of another type, which lies like `first`.
  Tensor addLike(const Tensor& first, ElementType type, const std::string& name, Lifetime lifetime);
  using MakeVertex = std::function<VertexType(const Runs&)>;
  /// Adds one compute set of vertices on runs. `fields` are those of the vertex type, in its order.
  /// A field with fewer elements than the first one has one element per tile of the first.
  void add(const std::vector<Tensor>& fields, const MakeVertex& make, const std::string& name,
           VertexForms forms = VertexForms::Both);

 private:
  /// Adds a copy of `scalar` for every tile of `in`.
  Tensor addScalars(const Tensor& in, double scalar, const std::string& name);
  Tensor addScalars(const Tensor& in, const Tensor& scalar, const std::string& name);
  /// `fields` are the operand, a scalar for each tile of it and, unless it takes the result, that.
  void addWithScalars(models::BinaryOp op, const std::vector<Tensor>& fields,
                      const std::string& name);

  Graph& graph_;
  const Architecture& machine_;
  Program& program_;
};

}  // namespace ipusim::workloads
