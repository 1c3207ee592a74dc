// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/config/config_reader.h"
#include "workloads/sources/network_training.h"
#include "workloads/sources/summary.h"

namespace ipusim::workloads {

/// The name of what makes functions of equal parts of a network, behind all passes.
inline constexpr const char* kOutlinePass = "outline";

/// What is to be done with a network before it is compiled.
struct ChosenPasses {
  std::vector<const GraphPass*> recognising;  ///< those that recognise layers, in their order
  std::vector<const GraphPass*> changing;     ///< the others, which run behind them
  bool outlines;
};

/// Reads the table `passes`: a switch for each pass of graphPasses() and for kOutlinePass, by
/// default what the front end of the network does. Throws ConfigError for a pass that folds
/// parameters which training learns.
ChosenPasses readPasses(const ConfigReader& config, FrontEnd front_end, bool is_training);

/// Lets passes change a network, and adds those that did to `ran`.
void applyPasses(const std::vector<const GraphPass*>& passes, ForwardNetwork& network,
                 std::vector<PassSummary>& ran);

}  // namespace ipusim::workloads
