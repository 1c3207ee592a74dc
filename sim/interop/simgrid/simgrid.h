// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "models/ipu/machine/system.h"

namespace ipusim::interop {

/// The links of a system as a platform of SimGrid, in its XML form: a host for each IPU, a link for
/// each directed set of links, and a route for each pair of IPUs, as Routes finds it. The bandwidth
/// of a link is that of payload: the links of the set at their efficiency, less packet headers. The
/// links have no latency: the sync and the fixed cost of an exchange are not those of a link. The
/// speed of a host is the peak of the IPU for halves.
std::string simGridPlatform(const System& system);

}  // namespace ipusim::interop
