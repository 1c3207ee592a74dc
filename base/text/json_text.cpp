// SPDX-License-Identifier: Apache-2.0
#include "base/text/json_text.h"

#include <nlohmann/json.hpp>

namespace ipusim {

std::string jsonTextOf(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace ipusim
