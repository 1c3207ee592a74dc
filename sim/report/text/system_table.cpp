// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/system_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>

#include "sim/report/text/quantity.h"
#include "sim/report/text/text_layout.h"
#include "sim/report/text/text_table.h"
#include "workloads/sources/tile_list.h"

namespace ipusim::report {

namespace {

constexpr std::size_t kMostLinks = 4;
constexpr std::size_t kNameWidth = 26;

std::string percentOf(Cycles part, const TimeResult& time) {
  if (time.cycles == Cycles(0)) return percentText(0);
  return percentText(static_cast<double>(part.value()) / static_cast<double>(time.cycles.value()));
}

std::string linksText(const std::vector<LinkResult>& links, const TimeResult& time) {
  TextTable table({{kNameWidth, Align::Left}, {9}, {18}, {9}});
  table.add({"busiest links", "", "bytes", "busy"});
  for (std::size_t l = 0; l < std::min(kMostLinks, links.size()); ++l) {
    const LinkResult& link = links[l];
    table.add({fmt::format("IPU {} to {}", link.from, link.to), countOf(link.links, "link"),
               bytesText(link.bytes), percentOf(link.busy, time)});
  }
  return table.text();
}

}  // namespace

std::string systemText(const SystemResult& system, const TimeResult& time) {
  struct Equal {
    workloads::TileList ipus;
    std::size_t first;
  };
  std::map<std::uint32_t, Equal> by_program;
  for (std::size_t i = 0; i < system.ipus.size(); ++i) {
    const auto [equal, is_new] = by_program.try_emplace(system.ipus[i].program, Equal{{}, i});
    equal->second.ipus.add(static_cast<std::uint32_t>(i));
  }
  std::string text = fmt::format("IPUS      {} IPUs run {}\n", system.ipus.size(),
                                 countOf(system.programs, "program"));
  TextTable table({{kNameWidth, Align::Left}, {9}, {9}, {9}, {9}, {11}});
  table.add({"", "compute", "exchange", "links", "sync", "memory"});
  for (const auto& [program, equal] : by_program) {
    const IpuResult& ipu = system.ipus[equal.first];
    table.add({shortened("IPU " + equal.ipus.text(), kNameWidth), percentOf(ipu.compute, time),
               percentOf(ipu.exchange, time), percentOf(ipu.links, time), percentOf(ipu.sync, time),
               bytesText(ipu.memory)});
  }
  text += table.text();
  if (!system.links.empty()) text += linksText(system.links, time);
  return text + '\n';
}

}  // namespace ipusim::report
