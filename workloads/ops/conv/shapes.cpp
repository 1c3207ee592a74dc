// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/shapes.h"

namespace ipusim::workloads {

Shape activationShape(const Shape& grouped) {
  Shape shape{grouped.at(2), grouped[0] * grouped[1]};
  shape.insert(shape.end(), grouped.begin() + 3, grouped.end());
  return shape;
}

Shape weightShape(const Shape& grouped) {
  Shape shape = grouped;
  if (shape.at(0) == 1) shape.erase(shape.begin());
  return shape;
}

Shape storedInputShape(const ConvLayout& layout, const ConvShapes& shapes) {
  const ConvParams& params = layout.plan().transformed;
  Shape shape{params.groups, params.in_chans, params.batch};
  for (std::size_t d = 0; d < params.dims.size(); ++d) shape.push_back(layout.used(d).size());
  return shapes.activations(shape);
}

Shape storedWeightShape(const ConvLayout& layout, const ConvShapes& shapes) {
  const ConvParams& params = layout.plan().transformed;
  Shape shape{params.groups, params.out_chans, params.in_chans};
  for (const ConvDim& dim : params.dims) shape.push_back(dim.kernel);
  return shapes.weights(shape);
}

Shape storedResultShape(const ConvLayout& layout, const ConvShapes& shapes, std::uint32_t steps) {
  const ConvParams& params = layout.plan().transformed;
  Shape shape{params.groups, steps * params.out_chans, params.batch};
  for (const ConvDim& dim : params.dims) shape.push_back(dim.outputs());
  return shapes.activations(shape);
}

}  // namespace ipusim::workloads
