// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ipu/cost/conv_reduce.h"
#include "workloads/graph/codelet.h"

namespace ipusim::workloads {

/// poplin::ReduceAdd: adds up partial results of a product.
///
/// Fields: 0 "out", one edge of n; 1 "own", one edge of n, the partial that is on the tile already;
/// 2 "partials", the other depth - 1 partials, an edge of n each. out = own + sum of partials.
class ReduceAdd : public Codelet {
 public:
  /// Adds `depth` >= 2 partials of `outputs` elements. The vertex form (one array of partials or a
  /// pointer each) is the one the vendor's library picks on `machine`.
  ReduceAdd(const models::Machine& machine, const models::ReduceAddShape& shape);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] models::VertexKind kind() const override { return models::VertexKind::Supervisor; }
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] Cycles cycles(const models::Machine& machine) const override;
  [[nodiscard]] Bytes stateBytes() const override;
  [[nodiscard]] Bytes fieldDataBytes() const override;
  [[nodiscard]] Bytes codeBytes() const override;
  [[nodiscard]] Flops flops() const override;
  void compute(const VertexData& data) const override;

 private:
  std::uint64_t depth_;
  models::ReduceAddShape shape_;
  std::vector<Field> fields_;
};

}  // namespace ipusim::workloads
