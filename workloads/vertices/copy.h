// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/graph/codelet.h"

namespace ipusim::workloads {

/// `count` runs of `elements` consecutive elements.
struct CopyRuns {
  std::uint64_t count;
  std::uint64_t elements;
};

/// Copies runs of elements from one place of a tile to another. Fields: 0 "from", 1 "to"; one edge
/// a run in both.
class Copy : public Codelet {
 public:
  Copy(models::ElementType type, std::vector<CopyRuns> runs);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] models::VertexKind kind() const override { return models::VertexKind::Supervisor; }
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] Cycles cycles(const models::Machine& machine) const override;
  [[nodiscard]] Bytes stateBytes() const override;
  [[nodiscard]] Bytes codeBytes() const override;
  [[nodiscard]] Flops flops() const override { return Flops(0); }
  void compute(const VertexData& data) const override;

 private:
  models::ElementType type_;
  std::vector<CopyRuns> runs_;
  std::vector<Field> fields_;
};

}  // namespace ipusim::workloads
