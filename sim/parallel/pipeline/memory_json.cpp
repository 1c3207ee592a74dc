// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/pipeline/memory_json.h"

#include <nlohmann/json.hpp>
#include <numeric>
#include <string>

#include "base/text/json.h"

namespace ipusim::parallel {

Json memoryJson(const HeldBytes& held, Bytes max_tile_bytes) {
  auto json = Json::object();
  for (std::size_t h = 0; h < kHoldings; ++h) {
    json[std::string(keyOf(static_cast<Holding>(h))) + "_bytes"] = held[h].value();
  }
  json["total_bytes"] = std::accumulate(held.begin(), held.end(), Bytes(0)).value();
  json["max_tile_bytes"] = max_tile_bytes.value();
  return json;
}

}  // namespace ipusim::parallel
