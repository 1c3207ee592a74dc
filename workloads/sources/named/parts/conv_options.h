// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/config_reader.h"
#include "workloads/networks/operations/windows/convolution.h"
#include "workloads/ops/conv/planner/plan.h"
#include "workloads/sources/summary.h"

// The keys of a convolution, and what it reports of its plan.

namespace ipusim::workloads {

/// A forward convolution, and the pass of it that is done.
struct ConvLayer {
  enum class Pass : std::uint8_t { Inference, Forward, Backward, WeightUpdate };
  Pass pass;
  ConvolutionShape shape;
  Shape input;   ///< (batch, channels, field...)
  Shape kernel;  ///< (out channels, channels of a group, kernel...)
};

/// Reads sizes, motion and pass.
ConvLayer readConvLayer(const ConfigReader& config);

/// Reads the options of the planner into a problem without sizes.
ConvProblem readConvOptions(const ConfigReader& config);

PlanSummary summaryOf(const ConvPlan& plan);

}  // namespace ipusim::workloads
