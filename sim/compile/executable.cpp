// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/executable.h"

namespace ipusim::compiler {

const char* keyOf(Category category) {
  static constexpr std::array<const char*, kCategories> kKeys = {
      "variables",    "constants",          "message_buffers",       "vertex_code",
      "vertex_state", "vertex_field_data",  "copy_descriptors",      "internal_exchange_code",
      "control_code", "host_exchange_code", "host_exchange_headers", "stack"};
  return kKeys.at(static_cast<std::size_t>(category));
}

bool isCode(Category category) {
  switch (category) {
    case Category::VertexCode:
    case Category::ExchangeCode:
    case Category::ControlCode:
    case Category::HostExchangeCode:
    case Category::Stack:
      return true;
    default:
      return false;
  }
}

}  // namespace ipusim::compiler
