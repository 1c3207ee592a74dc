// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include "ipusim/units.h"

namespace ipusim {

/// The bytes of physical memory that a process holds now. 0 when the process is gone. A
/// signal handler may call it: it allocates nothing.
Bytes residentMemory(pid_t process);

}  // namespace ipusim
