// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/compile/messages.h"

namespace ipusim::compiler {

/// Joins messages to one receiver that send equal data into one message to several. It takes the
/// place of the first of them, and its receivers keep their order. All of `messages` must have one
/// receiver, and forms with different numbers must differ.
void joinEqual(Messages& messages);

}  // namespace ipusim::compiler
