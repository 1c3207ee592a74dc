// SPDX-License-Identifier: Apache-2.0
#include "sim/report/memory_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/text/json.h"
#include "sim/report/text/shares.h"

namespace ipusim::report {

Json oomJson(const OutOfMemory& oom) {
  return {{"tile", oom.tile},
          {"step", oom.step},
          {"category", keyOf(oom.category)},
          {"bytes_over", oom.bytes_over.value()},
          {"position", oom.position},
          {"variable", oom.variable.empty() ? Json(nullptr) : Json(oom.variable)},
          {"largest_bytes", oom.largest.value()}};
}

Json oomJson(const run::RunResult& result) {
  if (!result.oom) return nullptr;
  Json json = oomJson(*result.oom);
  Json& variables = json["variables"] = Json::array();
  const std::vector<Share> shares = sharesOf(result, result.oom->tile);
  for (std::size_t s = 0; s < std::min(shares.size(), kLargestShares); ++s) {
    variables.push_back({{"name", shares[s].variable->name},
                         {"type", nameOf(shares[s].variable->type)},
                         {"shape", shares[s].variable->shape},
                         {"tile_bytes", shares[s].on_tile.value()},
                         {"total_bytes", bytesOnAll(*shares[s].variable).value()}});
  }
  return json;
}

Json memoryJson(const run::RunResult& result) {
  const MemoryResult& memory = result.memory;
  Json by_category = Json::object();
  for (std::size_t c = 0; c < memory.by_category.size(); ++c) {
    const auto category = static_cast<MemoryCategory>(c);
    if (isBetweenIpus(category) && !result.system) continue;
    by_category[keyOf(category)] = memory.by_category[c].value();
  }
  return {{"capacity_tile_bytes", result.machine.sram_per_tile.value()},
          {"total_bytes", memory.total.value()},
          {"max_tile_bytes", memory.max_tile_bytes.value()},
          {"max_tile", memory.max_tile},
          {"always_live_bytes", memory.always_live.value()},
          {"peak_not_always_live_bytes", memory.peak_not_always_live.value()},
          {"by_category", std::move(by_category)},
          {"total_including_gaps_bytes", memory.total_including_gaps.value()},
          {"total_without_code_bytes", memory.total_without_code.value()},
          {"max_tile_without_code_bytes", memory.max_tile_without_code.value()}};
}

}  // namespace ipusim::report
