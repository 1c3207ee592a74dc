// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ipusim {

/// The last whole number from `holds` to below `fails` for which `test` holds. The test holds for
/// `holds` and not for `fails`, neither of which is tested, and does not turn twice in between. It
/// is called at most as often as the distance of the two can be halved.
template <typename Test>
std::uint64_t lastThatHolds(std::uint64_t holds, std::uint64_t fails, const Test& test) {
  while (fails - holds > 1) {
    const std::uint64_t middle = holds + (fails - holds) / 2;
    (test(middle) ? holds : fails) = middle;
  }
  return holds;
}

}  // namespace ipusim
