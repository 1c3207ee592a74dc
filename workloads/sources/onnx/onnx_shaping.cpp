// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/operations/shaping.h"
#include "workloads/sources/onnx/onnx_shapes.h"
#include "workloads/sources/onnx/onnx_site.h"

// Views of whole tensors.

namespace ipusim::workloads {

namespace {

using Results = std::vector<NetworkTensorId>;

Results reshaped(const OnnxSite& site, const Shape& shape) {
  if (shape == site.shape(0)) return {site.operand(0)};
  return {site.add(reshape(shape), {site.operand(0)})};
}

Results addReshape(const OnnxSite& site) {
  const auto sizes = site.axes(1, "shape").value_or(std::vector<std::int64_t>());
  return reshaped(site, reshapedShape(site.shape(0), sizes, site.isSet("allowzero")));
}

Results addFlatten(const OnnxSite& site) {
  return reshaped(site, flattenedShape(site.shape(0), site.integer("axis", 1)));
}

/// The axes of an operator: its second operand from opset 13 on, an attribute before that.
std::vector<std::int64_t> axesOf(const OnnxSite& site) {
  return site.axes(1, "axes").value_or(std::vector<std::int64_t>());
}

Results addSqueeze(const OnnxSite& site) {
  return reshaped(site, squeezedShape(site.shape(0), axesOf(site)));
}

Results addUnsqueeze(const OnnxSite& site) {
  return reshaped(site, unsqueezedShape(site.shape(0), axesOf(site)));
}

Results addTranspose(const OnnxSite& site) {
  return {site.add(transpose(transposeOrder(site.integersOf("perm"), site.shape(0).size())),
                   {site.operand(0)})};
}

}  // namespace

const std::vector<OnnxOperator>& onnxShaping() {
  static const std::vector<OnnxOperator> kOperators{
      {"Flatten", addFlatten},     {"Reshape", addReshape},     {"Squeeze", addSqueeze},
      {"Transpose", addTranspose}, {"Unsqueeze", addUnsqueeze},
  };
  return kOperators;
}

}  // namespace ipusim::workloads
