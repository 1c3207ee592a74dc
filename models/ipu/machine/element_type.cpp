// SPDX-License-Identifier: Apache-2.0
#include "ipusim/element_type.h"

#include "models/ipu/machine/element_words.h"

namespace ipusim {

const char* nameOf(ElementType type) {
  return wordOf(type, kElementWords);
}

}  // namespace ipusim
