// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "workloads/graph/codelet.h"

namespace ipusim::workloads {

/// Rows of `classes` elements, one of which is 1.
struct OneHotShape {
  models::ElementType type;  ///< half or float
  std::uint64_t rows;
  std::uint64_t classes;
};

/// popops::EncodeOneHot: puts a 1 where row r has its element indices[r], in rows that are clear.
/// An index that is no class is passed over.
///
/// Fields, an edge each: 0 "indices", unsigned int; 1 "out". What is published of floats is a
/// place-holder: they cost what a MultiUpdate of as many rows of one element does.
class OneHot : public Codelet {
 public:
  explicit OneHot(const OneHotShape& shape);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] models::VertexKind kind() const override { return models::VertexKind::Supervisor; }
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] Cycles cycles(const models::Machine& machine) const override;
  [[nodiscard]] Bytes stateBytes() const override;
  [[nodiscard]] Bytes codeBytes() const override;
  [[nodiscard]] Flops flops() const override { return Flops(0); }
  void compute(const VertexData& data) const override;

 private:
  OneHotShape shape_;
  std::vector<Field> fields_;
};

}  // namespace ipusim::workloads
