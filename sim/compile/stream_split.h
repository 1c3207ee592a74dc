// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/compile/exchange_streams.h"

namespace ipusim::compiler {

/// Splits multicasts into streams to some of their receivers, as many as the send ports have time
/// for within `cycles`. A receiver then waits for fewer other receivers. Streams that cannot be
/// split stay.
StreamSet splitMulticasts(const Interconnect& interconnect, const StreamSet& set, Cycles cycles);

}  // namespace ipusim::compiler
