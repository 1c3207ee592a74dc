// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "models/ipu/cost/nonlinearity.h"
#include "workloads/graph/codelet.h"
#include "workloads/vertices/runs.h"

namespace ipusim::workloads {

/// popnn::NonLinearityGrad1D and NonLinearityGrad2D of relu: inGrad = outGrad where out is
/// positive, else 0.
///
/// Fields, an edge a run in each: 0 "out", 1 "outGrad", 2 "inGrad".
class ReluGrad : public Codelet {
 public:
  ReluGrad(models::ElementType type, Runs runs);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] models::VertexKind kind() const override { return runs_.kind(); }
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] Cycles cycles(const models::Machine& machine) const override;
  [[nodiscard]] Bytes stateBytes() const override;
  [[nodiscard]] Bytes fieldDataBytes() const override;
  [[nodiscard]] Bytes codeBytes() const override;
  [[nodiscard]] Flops flops() const override { return Flops(runs_.elements()); }
  void compute(const VertexData& data) const override;

 private:
  models::ElementType type_;
  Runs runs_;
  std::vector<Field> fields_;
};

}  // namespace ipusim::workloads
