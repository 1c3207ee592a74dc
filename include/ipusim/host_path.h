// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ipusim {

/// How data gets from the program's memory on the host to the link.
enum class HostPath : std::uint8_t {
  Link,       ///< it is there already
  Framework,  ///< a framework copies it first, at a rate of its own
};

}  // namespace ipusim
