// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ipu/cost/outer_product.h"
#include "workloads/graph/codelet.h"

namespace ipusim::workloads {

/// poplin::OuterProduct: positions times weights of one in channel, on one worker.
///
/// Fields, with g groups of cpg channels and w positions:
///   0 "in"       1 edge of w
///   1 "weights"  g edges of cpg
///   2 "out"      g edges of w * cpg, [w][cpg]
class OuterProduct : public Codelet {
 public:
  explicit OuterProduct(const models::OuterProductShape& shape);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] models::VertexKind kind() const override { return models::VertexKind::Worker; }
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] Cycles cycles(const models::Machine& machine) const override;
  [[nodiscard]] Bytes stateBytes() const override;
  [[nodiscard]] Bytes fieldDataBytes() const override;
  [[nodiscard]] Bytes codeBytes() const override;
  [[nodiscard]] Flops flops() const override;
  void compute(const VertexData& data) const override;

 private:
  [[nodiscard]] std::uint64_t groups() const { return shape_.chans / shape_.chans_per_group; }

  models::OuterProductShape shape_;
  std::vector<Field> fields_;
};

}  // namespace ipusim::workloads
