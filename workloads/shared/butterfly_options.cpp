// SPDX-License-Identifier: Apache-2.0
#include "workloads/shared/butterfly_options.h"

#include "workloads/shared/layer.h"

namespace ipusim::workloads {

ButterflyShape readButterflyShape(const ConfigReader& config) {
  ButterflyShape shape{};
  shape.features = config.whole("features", 2, kMaxFeatures);
  if ((shape.features & (shape.features - 1)) != 0)
    throw config.error("features", "a power of two");
  shape.twiddles = config.choice("twiddles", {"tied", "untied"}, "tied") == "tied"
                       ? Twiddles::Tied
                       : Twiddles::Untied;
  shape.order = config.choice("order", {"decreasing", "increasing"}, "increasing") == "increasing"
                    ? StageOrder::Increasing
                    : StageOrder::Decreasing;
  return shape;
}

}  // namespace ipusim::workloads
