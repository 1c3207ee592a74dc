// SPDX-License-Identifier: Apache-2.0
// The host's functions without its constants: codelets define their own under these names. That the
// tile's library shows none in standard C++ is assumed, as newlib shows them for BSD and XSI only.
#include_next <math.h>

#include "no_constants.h"
