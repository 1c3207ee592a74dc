// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ipusim {

/// How data gets from the program's memory on the host to the link.
enum class HostPath : std::uint8_t {
  Link,       ///< the data is there already
  Framework,  ///< a framework first copies the data, at a rate of its own
};

}  // namespace ipusim
