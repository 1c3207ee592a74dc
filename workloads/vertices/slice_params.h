// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/ipu/cost/slice.h"
#include "workloads/vertices/data_movement.h"
#include "workloads/vertices/params.h"

// The common part of the vertices that take slices or put them back.

namespace ipusim::workloads {

constexpr Words<models::SliceDirection, 2> kDirectionWords{
    {{models::SliceDirection::Slice, "slice"}, {models::SliceDirection::Update, "update"}}};

inline Params lookUpParams(models::SliceDirection direction, const LookUpShape& shape) {
  return {{"direction", wordOf(direction, kDirectionWords)},
          {"type", wordOf(shape.type, kElementWords)},
          {"rows", shape.rows},
          {"elements", shape.elements},
          {"offsets", shape.offsets}};
}

}  // namespace ipusim::workloads
