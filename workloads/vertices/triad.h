// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "workloads/graph/codelet.h"

namespace ipusim::workloads {

/// The triad of STREAM as a hand-written vertex for all workers: out = b + scale * c, of float. The
/// operands lie in different memory elements, so that two loads, a store and the arithmetic of a
/// vector are one instruction.
///
/// Fields, one edge of `elements` each: 0 "b", 1 "c", 2 "out".
class Triad : public Codelet {
 public:
  Triad(float scale, std::uint64_t elements);

  [[nodiscard]] std::string name() const override { return "Triad"; }
  [[nodiscard]] models::VertexKind kind() const override { return models::VertexKind::Supervisor; }
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  /// As a ScaledAddSupervisor whose operands lie apart: the same instructions, with another address
  /// to store to.
  [[nodiscard]] Cycles cycles(const models::Machine& machine) const override;
  [[nodiscard]] Bytes stateBytes() const override;
  [[nodiscard]] Bytes codeBytes() const override;
  [[nodiscard]] Flops flops() const override { return Flops(2 * elements_); }
  void compute(const VertexData& data) const override;

 private:
  float scale_;
  std::uint64_t elements_;
  std::vector<Field> fields_;
};

}  // namespace ipusim::workloads
