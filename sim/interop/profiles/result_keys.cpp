// SPDX-License-Identifier: Apache-2.0
#include "sim/interop/profiles/result_keys.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/text/json.h"
#include "ipusim/memory_use.h"

namespace ipusim::interop {

namespace {

/// What the JSON of a run has for every program, without the sections that only a prediction or a
/// workload has.
constexpr std::array<const char*, 34> kKeys = {"machine/name",
                                               "machine/tiles",
                                               "machine/sram_per_tile_bytes",
                                               "machine/total_sram_bytes",
                                               "machine/clock_hz",
                                               "graph/variables",
                                               "graph/vertices",
                                               "graph/edges",
                                               "graph/compute_sets",
                                               "graph/exchanges",
                                               "fits",
                                               "memory/capacity_tile_bytes",
                                               "memory/total_bytes",
                                               "memory/max_tile_bytes",
                                               "memory/max_tile",
                                               "memory/always_live_bytes",
                                               "memory/peak_not_always_live_bytes",
                                               "memory/total_including_gaps_bytes",
                                               "memory/total_without_code_bytes",
                                               "memory/max_tile_without_code_bytes",
                                               "time/cycles",
                                               "time/seconds",
                                               "time/compute_cycles",
                                               "time/exchange_cycles",
                                               "time/sync_cycles",
                                               "time/host_cycles",
                                               "work/flops",
                                               "program",
                                               "tiles/total_bytes",
                                               "tiles/always_live_bytes",
                                               "tiles/including_gaps_bytes",
                                               "tiles/compute_cycles",
                                               "tiles/exchange_cycles",
                                               "tiles/sync_cycles"};

constexpr std::array<const char*, 8> kStepKeys = {"iterations",  "cycles",       "max_tile",
                                                  "mean_cycles", "start_cycles", "end_cycles",
                                                  "live_bytes",  "vertices"};
constexpr std::array<const char*, 3> kExchangeKeys = {"exchange/bytes", "exchange/max_tile_bytes",
                                                      "exchange/messages"};

bool has(const Json& object, const std::string& path) {
  return object.contains(Json::json_pointer("/" + path));
}

std::string dotted(std::string path) {
  std::replace(path.begin(), path.end(), '/', '.');
  return path;
}

/// True when a step of the kind of `step` has no figure `key` in any result.
bool neverHas(const Json& step, std::string_view key) {
  const Json& kind = step.at("kind");
  if (key == "vertices") return kind != "compute" && kind != "copy";
  return key.substr(0, 8) == "exchange" && kind != "exchange";
}

void addMissing(const Json& steps, const char* key, std::vector<std::string>& missing) {
  const bool lacks = std::any_of(steps.begin(), steps.end(), [&](const Json& step) {
    return !neverHas(step, key) && !has(step, key);
  });
  if (lacks) missing.push_back("steps[]." + dotted(key));
}

}  // namespace

std::vector<std::string> keysMissingFrom(const Json& result) {
  std::vector<std::string> missing;
  for (const char* const key : kKeys) {
    if (!has(result, key)) missing.push_back(dotted(key));
  }
  for (std::size_t c = 0; c < kCategories; ++c) {
    const auto category = static_cast<MemoryCategory>(c);
    if (isBetweenIpus(category)) continue;  // a profile of one IPU has none
    const std::string key = keyOf(category);
    if (!has(result, "memory/by_category/" + key)) missing.push_back("memory.by_category." + key);
  }
  const Json& steps = result.at("steps");
  if (steps.empty()) missing.emplace_back("steps");
  for (const char* const key : kStepKeys) addMissing(steps, key, missing);
  for (const char* const key : kExchangeKeys) addMissing(steps, key, missing);
  return missing;
}

}  // namespace ipusim::interop
