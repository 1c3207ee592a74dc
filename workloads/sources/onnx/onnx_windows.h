// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/networks/operations/windows/window.h"
#include "workloads/sources/onnx/onnx_site.h"

namespace ipusim::workloads {

/// What the attributes strides, dilations, pads and auto_pad say of a window that moves over a
/// field. Throws OperandError.
WindowMotion onnxMotion(const OnnxSite& site, const Shape& field, const Shape& window);

const std::vector<OnnxOperator>& onnxPooling();

}  // namespace ipusim::workloads
