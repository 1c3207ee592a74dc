// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/words.h"
#include "models/ipu/cost/exchange/collective.h"

namespace ipusim::models {

inline constexpr Words<CollectiveChoice, 7> kCollectiveWords{
    {{{CollectiveRule::Published}, "published"},
     {{CollectiveRule::Cheapest}, "cheapest"},
     {{CollectiveRule::Fixed, CollectiveMethod::Ring}, "ring"},
     {{CollectiveRule::Fixed, CollectiveMethod::OppositeRings}, "opposite_rings"},
     {{CollectiveRule::Fixed, CollectiveMethod::MeetInTheMiddle}, "meet_in_the_middle"},
     {{CollectiveRule::Fixed, CollectiveMethod::QuadRing}, "quad_ring"},
     {{CollectiveRule::Fixed, CollectiveMethod::Broadcast}, "broadcast"}}};

}  // namespace ipusim::models
