// SPDX-License-Identifier: Apache-2.0
#include "sim/report/page/changes_data.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/text/json.h"
#include "sim/report/page/page_data.h"
#include "sim/report/page/run_lengths.h"

namespace ipusim::report {

namespace {

/// The bytes of all tiles; null for a result without them.
Json bytesOfTiles(const Json& result) {
  const auto tiles = result.find("tiles");
  if (tiles == result.end() || !tiles->is_object()) return nullptr;
  for (const char* key : {"including_gaps_bytes", "total_bytes"}) {
    const auto column = tiles->find(key);
    if (column == tiles->end() || !column->is_array()) continue;
    const bool are_bytes = std::all_of(column->begin(), column->end(),
                                       [](const Json& one) { return one.is_number_unsigned(); });
    if (!are_bytes) continue;
    return runLengths(*column, [](const Json& one) { return one.get<std::uint64_t>(); });
  }
  return nullptr;
}

Json sideData(const NamedResult& side) {
  constexpr std::array<const char*, 6> kShown = {"fits", "time", "memory", "plan", "work", "graph"};
  Json data = {{"name", side.name}, {"head", Json::object()}};
  for (const char* key : kShown) {
    const auto member = side.result.find(key);
    if (member != side.result.end()) data["head"][key] = *member;
  }
  data["tiles"] = bytesOfTiles(side.result);
  return data;
}

}  // namespace

Json changesPageData(const std::vector<ChangedPart>& parts, const NamedResult& a,
                     const NamedResult& b) {
  Json data = {{"schema", kPageSchema}, {"name", a.name + " and " + b.name}};
  data["sides"] = {sideData(a), sideData(b)};
  data["parts"] = changesJson(parts, a.name, b.name)["parts"];
  return data;
}

}  // namespace ipusim::report
