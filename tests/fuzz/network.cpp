// SPDX-License-Identifier: Apache-2.0
#include "ipusim/error.h"
#include "tests/fuzz/inputs.h"
#include "workloads/sources/text/network_text.h"

namespace ipusim::fuzz {

void network(std::string_view bytes) {
  expectOneLine([&] {
    try {
      workloads::readNetworkText(std::string(bytes), {2, {4, 16, 16}});
    } catch (const workloads::StatementError& error) {
      throw ConfigError(error.what());
    }
  });
}

}  // namespace ipusim::fuzz
