// SPDX-License-Identifier: Apache-2.0
#include "ipusim/element_type.h"

namespace ipusim {

const char* nameOf(ElementType type) {
  switch (type) {
    case ElementType::Half:
      return "half";
    case ElementType::Float:
      return "float";
    case ElementType::Int32:
      return "int";
    case ElementType::UInt32:
      return "unsigned int";
    case ElementType::UInt16:
      return "unsigned short";
    case ElementType::Bool:
      break;
  }
  return "bool";
}

}  // namespace ipusim
