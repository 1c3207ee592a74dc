// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "models/ipu/energy/price.h"
#include "models/ipu/machine/system.h"

namespace ipusim::calibrate {

/// What a program does on average in a cycle of a tile. A band is an assumption about a published
/// reading whose program nobody named.
struct LoadWork {
  double compute_share = 0;            ///< of the cycles
  double exchange_share = 0;           ///< of the cycles; a word leaves and one comes in each
  double bytes_per_compute_cycle = 0;  ///< loaded and stored
  energy::Band amp_share;              ///< of the peak of the AMP engines in half, over all cycles
  energy::Band issue_share;            ///< of the compute cycles, in which something issues
};

/// A machine in a state whose power somebody published.
struct PowerLoad {
  std::string name;
  System machine;  ///< one IPU or several
  double clock_hz = 0;
  double celsius = 0;
  LoadWork work;
  bool on_card = false;  ///< the reading is of a card, with all that is on it
};

/// The assumptions of one draw: a standard normal score of each share, and the power of a card
/// besides its IPU.
struct LoadDraw {
  double amp_score = 0;
  double issue_score = 0;
  double card_watts = 0;
};

/// The power of a load. Needs a machine that has prices.
double wattsOf(const PowerLoad& load, const energy::Values& values, const LoadDraw& draw);

}  // namespace ipusim::calibrate
