// SPDX-License-Identifier: Apache-2.0
#include "sim/report/system_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

#include "sim/report/quantity.h"

namespace ipusim::run {

namespace {

constexpr std::size_t kMostLinks = 4;
constexpr std::size_t kMostIpus = 6;  // that a row names
constexpr std::size_t kNameWidth = 26;

/// Such as "0, 3, 12" or "0, 1, 2, 3, 4, … of 16".
std::string ipuNames(const std::vector<std::size_t>& ipus) {
  if (ipus.size() <= kMostIpus) return fmt::format("{}", fmt::join(ipus, ", "));
  const std::vector<std::size_t> first(ipus.begin(), ipus.begin() + kMostIpus - 1);
  return fmt::format("{}, … of {}", fmt::join(first, ", "), ipus.size());
}

std::string percentOf(Cycles part, const TimeResult& time) {
  if (time.cycles == Cycles(0)) return percentText(0);
  return percentText(static_cast<double>(part.value()) / static_cast<double>(time.cycles.value()));
}

std::string ipuRow(const std::vector<std::size_t>& ipus, const IpuResult& ipu,
                   const TimeResult& time) {
  // The ellipsis is one column wide, and three bytes long.
  const std::string name = "IPU " + ipuNames(ipus);
  const std::size_t wide = name.find("…") == std::string::npos ? kNameWidth : kNameWidth + 2;
  return fmt::format("  {:<{}}{:>9}{:>9}{:>9}{:>9}{:>11}\n", name, wide,
                     percentOf(ipu.compute, time), percentOf(ipu.exchange, time),
                     percentOf(ipu.links, time), percentOf(ipu.sync, time), bytesText(ipu.memory));
}

std::string linkRow(const LinkResult& link, const TimeResult& time) {
  return fmt::format("  {:<26}{:>9}{:>18}{:>9}\n", fmt::format("IPU {} to {}", link.from, link.to),
                     fmt::format("{} links", link.links), bytesText(link.bytes),
                     percentOf(link.busy, time));
}

}  // namespace

std::string systemText(const SystemResult& system, const TimeResult& time) {
  std::map<std::uint32_t, std::vector<std::size_t>> by_program;
  for (std::size_t i = 0; i < system.ipus.size(); ++i) {
    by_program[system.ipus[i].program].push_back(i);
  }
  std::string text = fmt::format("IPUS      {} IPUs run {}\n", system.ipus.size(),
                                 countOf(system.programs, "program"));
  text += fmt::format("  {:<26}{:>9}{:>9}{:>9}{:>9}{:>11}\n", "", "compute", "exchange", "links",
                      "sync", "memory");
  for (const auto& [program, ipus] : by_program) {
    text += ipuRow(ipus, system.ipus[ipus.front()], time);
  }
  if (system.links.empty()) return text + '\n';
  text += fmt::format("  {:<26}{:>9}{:>18}{:>9}\n", "busiest links", "", "bytes", "busy");
  for (std::size_t l = 0; l < std::min(kMostLinks, system.links.size()); ++l) {
    text += linkRow(system.links[l], time);
  }
  return text + '\n';
}

}  // namespace ipusim::run
