// SPDX-License-Identifier: Apache-2.0
#include "ipusim/result.h"

namespace ipusim {

const char* nameOf(Engine engine) {
  return engine == Engine::SystemC ? "systemc" : "closed-form";
}

}  // namespace ipusim
