// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "ipusim/element_type.h"

namespace ipusim::checker {

/// The number that an element in tile memory stands for.
double loadElement(ElementType type, const std::byte* from);

/// Puts `value` into tile memory as `type` holds it: a half and a float rounded to nearest even,
/// a bool true unless 0. Throws InternalError for what an integer type cannot hold.
void storeElement(ElementType type, double value, std::byte* to);

/// `value` as `type` holds it.
double roundedTo(ElementType type, double value);

}  // namespace ipusim::checker
