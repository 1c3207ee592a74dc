// SPDX-License-Identifier: Apache-2.0
#include "ipusim/memory_category.h"

namespace ipusim {

const char* keyOf(MemoryCategory category) {
  static constexpr std::array<const char*, kCategories> kKeys = {"variables",
                                                                 "constants",
                                                                 "message_buffers",
                                                                 "vertex_code",
                                                                 "vertex_state",
                                                                 "vertex_field_data",
                                                                 "copy_descriptors",
                                                                 "internal_exchange_code",
                                                                 "control_code",
                                                                 "host_exchange_code",
                                                                 "host_exchange_headers",
                                                                 "global_exchange_code",
                                                                 "global_exchange_headers",
                                                                 "stack"};
  return kKeys.at(static_cast<std::size_t>(category));
}

bool isBetweenIpus(MemoryCategory category) {
  return category == MemoryCategory::GlobalExchangeCode ||
         category == MemoryCategory::GlobalExchangeHeaders;
}

bool isCode(MemoryCategory category) {
  switch (category) {
    case MemoryCategory::VertexCode:
    case MemoryCategory::ExchangeCode:
    case MemoryCategory::ControlCode:
    case MemoryCategory::HostExchangeCode:
    case MemoryCategory::GlobalExchangeCode:
    case MemoryCategory::Stack:
      return true;
    default:
      return false;
  }
}

}  // namespace ipusim
