// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ipu/cost/amp.h"
#include "workloads/graph/codelet.h"

namespace ipusim::workloads {

/// poplin::ConvPartial1x1Out: a tile's share of a matrix product on the matrix engine (AMP).
///
/// Fields, with G conv groups, I in groups of ic channels, O out groups of pc channels, F
/// positions:
///   0 "in"       G * I edges of F * ic      [g][i] -> [f][ic]
///   1 "weights"  G * O * I edges of pc * ic [g][o][i] -> [pc][ic]
///   2 "out"      G * O edges of F * pc      [g][o] -> [f][pc], interleaved, apart from "in"
/// out[f][p] = sum over i, ic of in[f][ic] * weights[p][ic], added up in float.
class ConvPartial1x1Out : public Codelet {
 public:
  /// ic is `in_chans_per_group`. Inputs and partials of `shape.engine`: float and float.
  ConvPartial1x1Out(const models::Amp1x1Shape& shape, std::uint32_t in_chans_per_group);

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
  models::Amp1x1Shape shape_;
  std::uint32_t in_chans_;
  std::vector<Field> fields_;
};

}  // namespace ipusim::workloads
