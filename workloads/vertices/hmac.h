// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ipu/cost/hmac.h"
#include "workloads/graph/codelet.h"

namespace ipusim::workloads {

/// poplin::ConvPartialHorizontalMac and its 1x1 form: a tile's share of a matrix product as dot
/// products along the in channels, for products too small for the matrix engine.
///
/// Fields, with G conv groups, I in groups of ic channels, O out groups of pc channels, F
/// positions:
///   0 "in"       G * I edges of F * ic      [g][i] -> [f][ic]
///   1 "weights"  G * O * I edges of pc * ic [g][o][i] -> [pc][ic]
///   2 "out"      G * O edges of F * pc      [g][o] -> [f][pc]
/// out[f][p] = sum over i, ic of in[f][ic] * weights[p][ic]; a dot product is held in float and
/// added to the partial that is stored.
class ConvPartialHorizontalMac : public Codelet {
 public:
  ConvPartialHorizontalMac(const models::HmacShape& shape, std::uint64_t field);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] models::VertexKind kind() const override { return models::VertexKind::Supervisor; }
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  /// What it takes to clear the partials, and to multiply.
  [[nodiscard]] Cycles cycles(const models::Machine& machine) const override;
  [[nodiscard]] Bytes stateBytes() const override;
  [[nodiscard]] Bytes fieldDataBytes() const override;
  [[nodiscard]] Bytes codeBytes() const override;
  [[nodiscard]] Flops flops() const override;
  void compute(const VertexData& data) const override;

 private:
  models::HmacShape shape_;
  std::uint64_t field_;
  std::vector<Field> fields_;
};

}  // namespace ipusim::workloads
