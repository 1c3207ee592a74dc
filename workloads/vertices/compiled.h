// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "workloads/graph/codelet.h"

// Vertices as a user writes them in C++: scalar loops over float, through the compiler.

namespace ipusim::workloads {

/// A matrix product: out[r][c] = sum over i of a[r][i] * b[i][c].
///
/// Fields:
///   0 "a"    1 edge of rows * inner
///   1 "b"    1 edge of inner * columns
///   2 "out"  1 edge of rows * columns
class CompiledProduct : public Codelet {
 public:
  struct Shape {
    std::uint64_t rows;
    std::uint64_t inner;
    std::uint64_t columns;
  };
  explicit CompiledProduct(const Shape& shape);

  [[nodiscard]] std::string name() const override { return "CompiledProduct"; }
  [[nodiscard]] models::VertexKind kind() const override { return models::VertexKind::Worker; }
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] Cycles cycles(const models::Machine& machine) const override;
  [[nodiscard]] Bytes stateBytes() const override;
  [[nodiscard]] Bytes codeBytes() const override;
  [[nodiscard]] Flops flops() const override;
  void compute(const VertexData& data) const override;

 private:
  Shape shape_;
  std::vector<Field> fields_;
};

/// A sum in place: sum[i] += more[i]. Fields 0 "sum", 1 "more": an edge of `elements` each.
class CompiledAdd : public Codelet {
 public:
  explicit CompiledAdd(std::uint64_t elements);

  [[nodiscard]] std::string name() const override { return "CompiledAdd"; }
  [[nodiscard]] models::VertexKind kind() const override { return models::VertexKind::Worker; }
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] Cycles cycles(const models::Machine& machine) const override;
  [[nodiscard]] Bytes stateBytes() const override;
  [[nodiscard]] Bytes codeBytes() const override;
  [[nodiscard]] Flops flops() const override { return Flops(elements_); }
  void compute(const VertexData& data) const override;

 private:
  std::uint64_t elements_;
  std::vector<Field> fields_;
};

}  // namespace ipusim::workloads
