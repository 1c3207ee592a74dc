// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "tests/fuzz/inputs.h"
#include "workloads/ops/sparse/matrix_market.h"

namespace ipusim::fuzz {

void matrix(std::string_view bytes) {
  constexpr std::uint64_t kBlock = 4;
  expectOneLine([&] {
    std::istringstream in{std::string(bytes)};
    static_cast<void>(workloads::parseMatrixMarket(in, "fuzz", kBlock));
  });
}

}  // namespace ipusim::fuzz
