// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ipu/cost/transpose.h"
#include "workloads/graph/codelet.h"

namespace ipusim::workloads {

/// popops::Transpose2D, Transpose1D, Transpose1DSingleWorker or SplitTranspose1D: matrices of rows
/// x columns to columns x rows.
///
/// Fields: 0 "src" and 1 "dst". Transpose2D has one edge a matrix in both; the 1D kinds have one
/// edge, all matrices one after the other.
class Transpose : public Codelet {
 public:
  Transpose(models::ElementType type, models::TransposeVertex vertex, std::uint64_t rows,
            std::uint64_t columns, std::uint64_t matrices);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] models::VertexKind kind() const override;
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] Cycles cycles(const models::Machine& machine) const override;
  [[nodiscard]] Bytes stateBytes() const override;
  [[nodiscard]] Bytes fieldDataBytes() const override;
  [[nodiscard]] Bytes codeBytes() const override;
  [[nodiscard]] Flops flops() const override { return Flops(0); }
  void compute(const VertexData& data) const override;

 private:
  models::ElementType type_;
  models::TransposeShape shape_;
  std::vector<Field> fields_;
};

}  // namespace ipusim::workloads
