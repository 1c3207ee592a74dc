// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ipu/cost/slice.h"
#include "workloads/graph/codelet.h"

namespace ipusim::workloads {

/// A tensor of `slices` equal slices of which a vertex moves one.
struct SlicedShape {
  models::ElementType type;
  std::uint64_t elements;  ///< of a slice on this tile
  std::uint64_t slices;
};

/// popops::DynamicSlice1D and DynamicUpdateSlice1D: the slice that "offset" counts, modulo their
/// number, out of the tensor or into it.
///
/// Fields:
///   0 "offset"  1 edge of one unsigned int
///   1 "base"    1 edge of slices * elements; written by an update
///   2 "sub"     1 edge of elements; written by a slice
class DynamicSlice1D : public Codelet {
 public:
  DynamicSlice1D(const SlicedShape& shape, models::SliceDirection direction);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] models::VertexKind kind() const override { return models::VertexKind::Supervisor; }
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] Cycles cycles(const models::Machine& machine) const override;
  [[nodiscard]] Bytes stateBytes() const override;
  [[nodiscard]] Bytes codeBytes() const override;
  [[nodiscard]] Flops flops() const override { return Flops(0); }
  void compute(const VertexData& data) const override;

 private:
  SlicedShape shape_;
  models::SliceDirection direction_;
  std::vector<Field> fields_;
};

}  // namespace ipusim::workloads
