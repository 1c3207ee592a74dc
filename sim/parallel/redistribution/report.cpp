// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/text/json.h"
#include "base/text/json_text.h"
#include "sim/parallel/redistribution/job.h"
#include "sim/report/text/quantity.h"
#include "sim/report/text/text_table.h"

namespace ipusim::parallel {

namespace {

constexpr int kIndent = 2;

std::string remarkOn(const WayReport& way) {
  if (!way.fits) return "does not fit";
  if (!way.is_right) return "";
  return *way.is_right ? "numbers right" : "numbers WRONG";
}

std::string waysText(const std::vector<WayReport>& ways, Bytes element) {
  report::TextTable table(
      {{18, report::Align::Left}, {9}, {10}, {10}, {10}, {10}, {0, report::Align::Left}}, {2, 1});
  table.add({"way", "exchanges", "received", "peak", "buffers", "time"});
  const auto bytes = [element](std::uint64_t elements) {
    return report::bytesText(elements * element);
  };
  for (const WayReport& way : ways) {
    table.add({way.name, fmt::to_string(way.exchanges), bytes(way.received), bytes(way.peak),
               bytes(way.peak_buffers), report::secondsText(way.seconds), " " + remarkOn(way)});
  }
  return table.text();
}

Json jsonOf(const WayReport& way, Bytes element) {
  Json json = {{"way", way.name},
               {"plan", way.plan},
               {"exchanges", way.exchanges},
               {"received_bytes", (way.received * element).value()},
               {"peak_bytes", (way.peak * element).value()},
               {"peak_buffers_bytes", (way.peak_buffers * element).value()},
               {"time_seconds", way.seconds},
               {"fits", way.fits}};
  if (way.is_right) json["numbers_right"] = *way.is_right;
  return json;
}

}  // namespace

std::string tableOf(const RedistributionReport& report, const Place& place) {
  const auto& [mesh, source, target] = report.redistribution;
  const char* devices = std::holds_alternative<System>(place) ? "IPUs" : "tiles";
  std::string text = fmt::format("{}\n  to {}\n  on {} {} of {}, {}\n\n", toText(source, mesh),
                                 toText(target, mesh), mesh.devices(), devices, nameOf(place),
                                 nameOf(report.type));
  text += waysText(report.ways, sizeOf(report.type));
  text += "\n  Bytes are of the device with most. Buffers: before and after a step together.\n\n";
  for (const WayReport& way : report.ways) text += fmt::format("  {}: {}\n", way.name, way.plan);
  if (!report.not_found.empty()) {
    text += fmt::format(
        "\n  Not searched: {}. There are too many ways to give the axes to the dimensions.\n",
        fmt::join(report.not_found, ", "));
  }
  return text;
}

std::string jsonOf(const RedistributionReport& report, const Place& place) {
  const auto& [mesh, source, target] = report.redistribution;
  Json ways = Json::array();
  for (const WayReport& way : report.ways) ways.push_back(jsonOf(way, sizeOf(report.type)));
  const Json json = {{"machine", nameOf(place)},       {"mesh", toText(mesh)},
                     {"source", toText(source, mesh)}, {"target", toText(target, mesh)},
                     {"type", nameOf(report.type)},    {"not_searched", report.not_found},
                     {"ways", std::move(ways)}};
  return jsonTextOf(json, kIndent) + '\n';
}

std::string tableOf(const SpeedUps& found, const Place& place) {
  if (found.cases == 0) {
    return fmt::format("none of {} random redistributions on {} moves anything\n", found.asked,
                       nameOf(place));
  }
  return fmt::format(
      "{} random redistributions on {}, {} of which move something: the fastest staged plan\n"
      "against gather-and-slice\n"
      "  speed-up  geometric mean {:.2f}, largest {:.1f}\n"
      "  buffers   {:.2f} of those of gather-and-slice, geometric mean\n",
      found.asked, nameOf(place), found.cases, found.geometric_mean, found.largest,
      found.memory_mean);
}

std::string jsonOf(const SpeedUps& found, const Place& place) {
  const Json json = {{"machine", nameOf(place)},
                     {"asked", found.asked},
                     {"cases", found.cases},
                     {"speed_up_geometric_mean", found.geometric_mean},
                     {"speed_up_largest", found.largest},
                     {"buffers_ratio_geometric_mean", found.memory_mean}};
  return jsonTextOf(json, kIndent) + '\n';
}

}  // namespace ipusim::parallel
