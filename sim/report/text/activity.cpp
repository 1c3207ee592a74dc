// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/activity.h"

#include <nlohmann/json.hpp>

#include "base/text/json.h"

namespace ipusim::report {

std::array<std::pair<const char*, std::uint64_t>, kActivityCounts> countsOf(
    const Activity& activity) {
  return {{
      {"half_macs", activity.half_macs},
      {"float_macs", activity.float_macs},
      {"other_flops", activity.other_flops.value()},
      {"loaded_bytes", activity.loaded_bytes.value()},
      {"stored_bytes", activity.stored_bytes.value()},
      {"bundles", activity.bundles},
      {"sent_words", activity.sent_words},
      {"received_words", activity.received_words},
      {"column_word_rows", activity.column_word_rows},
      {"spine_words", activity.spine_words},
      {"tile_syncs", activity.tile_syncs},
      {"link_bytes", activity.link_bytes.value()},
      {"host_bytes", activity.host_bytes.value()},
      {"streaming_bytes", activity.streaming_bytes.value()},
      {"busy_tile_cycles", activity.busy_tile_cycles.value()},
      {"tile_cycles", activity.tile_cycles.value()},
  }};
}

Json activityJson(const Activity& activity) {
  auto json = Json::object();
  for (const auto& [name, count] : countsOf(activity)) json[name] = count;
  return json;
}

Json stepActivityJson(const Activity& activity) {
  auto json = Json::object();
  for (const auto& [name, count] : countsOf(activity)) {
    if (count > 0) json[name] = count;
  }
  return json;
}

std::string activityHeader() {
  std::string header;
  for (const auto& [name, count] : countsOf({})) header += std::string(",activity_") + name;
  return header;
}

std::string activityCells(const Activity& activity) {
  std::string cells;
  for (const auto& [name, count] : countsOf(activity)) cells += ',' + std::to_string(count);
  return cells;
}

}  // namespace ipusim::report
