// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "tests/property/random_network.h"
#include "tests/property/sound_run.h"

// Small random networks. Each is a valid program, whose numbers are right on tiles.

namespace ipusim::run {

TEST(SmallNetworks, RunAndHaveTheirNumbersOnTiles) {
  constexpr std::uint64_t kNetworks = 600;
  for (std::uint64_t seed = 1; seed <= kNetworks; ++seed) {
    const std::string text = randomNetwork(seed);
    SCOPED_TRACE(text);
    expectSoundRun(ConfigReader::fromText(text, "test"), Numbers::Checked);
    if (HasFatalFailure()) return;
  }
}

}  // namespace ipusim::run
