// SPDX-License-Identifier: Apache-2.0
#include "sim/report/costs.h"

#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "sim/report/text_layout.h"

namespace ipusim::run {

using Json = nlohmann::ordered_json;

namespace {

/// Draws differ in the last digits of a double from one platform to another. Four digits are more
/// than any constant has.
double rough(double value) {
  return std::strtod(fmt::format("{:.3e}", value).c_str(), nullptr);
}

/// One number per draw, with blanks between: a scalar, so that sweeps keep it.
std::string drawsText(const std::vector<double>& draws) {
  std::string text;
  for (const double draw : draws) {
    text += fmt::format("{}{:.6g}", text.empty() ? "" : " ", draw);
  }
  return text;
}

Json areaJson(const AreaResult& area) {
  Json json = {{"die_mm2", rough(area.die_mm2)},
               {"low_die_mm2", rough(area.low_die_mm2)},
               {"high_die_mm2", rough(area.high_die_mm2)},
               {"tile_mm2", rough(area.tile_mm2)},
               {"larger_than_reticle", area.larger_than_reticle},
               {"by_part", Json::object()}};
  for (std::size_t p = 0; p < kAreaParts; ++p) {
    json["by_part"][fmt::format("{}_mm2", nameOf(static_cast<AreaPart>(p)))] =
        rough(area.by_part[p]);
  }
  json["die_mm2_draws"] = drawsText(area.draws);
  return json;
}

std::string areaText(const AreaResult& area) {
  std::vector<std::string> items = {fmt::format("rough: a die of {:.0f} mm2 [{:.0f}, {:.0f}]",
                                                area.die_mm2, area.low_die_mm2, area.high_die_mm2)};
  for (std::size_t p = 0; p < kAreaParts; ++p) {
    items.push_back(fmt::format("{} {:.0f}", nameOf(static_cast<AreaPart>(p)), area.by_part[p]));
  }
  if (area.larger_than_reticle) items.emplace_back("LARGER THAN A RETICLE: no such chip is made");
  return wrapped("AREA", items);
}

}  // namespace

void addCosts(const RunResult& result, Json& json) {
  if (!result.unpriced.empty()) json["not_priced"] = result.unpriced;
  if (result.area) json["area"] = areaJson(*result.area);
}

std::string costsText(const RunResult& result) {
  if (!result.unpriced.empty()) return wrapped("AREA", {result.unpriced});
  return result.area ? areaText(*result.area) : "";
}

}  // namespace ipusim::run
