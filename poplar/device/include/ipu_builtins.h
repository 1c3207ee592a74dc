// SPDX-License-Identifier: Apache-2.0
#pragma once

// builtins.h, which comes before every codelet, has them.
#include <ipudef.h>
