// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <arch/gc_tile_defines.h>
