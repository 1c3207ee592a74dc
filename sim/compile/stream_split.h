// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/compile/exchange_streams.h"

namespace ipusim::compiler {

/// The streams with multicasts split into streams to some of their receivers, as many as the send
/// ports have time for within `cycles`: a receiver then waits for fewer others. Streams that cannot
/// be split stay.
StreamSet splitMulticasts(const Interconnect& interconnect, const StreamSet& set, Cycles cycles);

}  // namespace ipusim::compiler
