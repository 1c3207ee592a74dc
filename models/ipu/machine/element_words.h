// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/words.h"
#include "ipusim/element_type.h"

namespace ipusim {

/// The number types, with which most vertices compute.
constexpr Words<ElementType, 2> kNumberWords{
    {{ElementType::Half, "half"}, {ElementType::Float, "float"}}};
/// All element types, which a vertex may move, compare or convert.
constexpr Words<ElementType, 7> kElementWords{{{ElementType::Half, "half"},
                                               {ElementType::Float, "float"},
                                               {ElementType::Int32, "int"},
                                               {ElementType::UInt32, "unsigned int"},
                                               {ElementType::UInt16, "unsigned short"},
                                               {ElementType::Bool, "bool"},
                                               {ElementType::Quarter, "quarter"}}};

/// Whether it is one of the number types.
constexpr bool isReal(ElementType type) {
  return type == ElementType::Half || type == ElementType::Float;
}

}  // namespace ipusim
