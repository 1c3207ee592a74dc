// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/sources/onnx/onnx_shapes.h"
#include "workloads/sources/onnx/onnx_site.h"

namespace ipusim::workloads {

/// The elements of a dimension at indices that are known. A few runs of them are a view; many are
/// looked up.
NetworkTensorId taken(const OnnxSite& site, const std::string& part, NetworkTensorId x,
                      std::size_t axis, const std::vector<std::uint64_t>& indices);

/// Elements of a dimension that are a step apart.
NetworkTensorId stepped(const OnnxSite& site, const std::string& part, NetworkTensorId x,
                        const SteppedRange& range);

/// The tensor with one dimension moved to another place.
NetworkTensorId axisMoved(const OnnxSite& site, const std::string& part, NetworkTensorId x,
                          std::size_t from, std::size_t to);

/// Rows of a table (rows, width) at indices of any shape: (indices..., width).
NetworkTensorId lookedUp(const OnnxSite& site, const std::string& part, NetworkTensorId table,
                         NetworkTensorId indices);

const std::vector<OnnxOperator>& onnxMoving();

}  // namespace ipusim::workloads
