// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/trace/json_text.h"

#include <nlohmann/json.hpp>

namespace ipusim::workloads {

JsonText& JsonText::value(std::string_view text) {
  separate();
  // Bytes that are no UTF-8 become U+FFFD.
  text_ += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return *this;
}

}  // namespace ipusim::workloads
