// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/ipu/cost/slice.h"
#include "workloads/vertices/params.h"

namespace ipusim::workloads {

constexpr Words<models::SliceDirection, 2> kDirectionWords{
    {{models::SliceDirection::Slice, "slice"}, {models::SliceDirection::Update, "update"}}};

}  // namespace ipusim::workloads
