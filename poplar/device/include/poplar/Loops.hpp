// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Counts the passes of a loop that the processor repeats by itself.
typedef unsigned rptsize_t;
