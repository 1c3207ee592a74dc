// SPDX-License-Identifier: Apache-2.0
// The host's functions without its constants: the tile's library has none in standard C++, and
// codelets define their own under these names.
#include_next <math.h>

#include "no_constants.h"
