// SPDX-License-Identifier: Apache-2.0
#include "sim/interop/simgrid/simgrid.h"

#include <fmt/format.h>

#include <iterator>

#include "models/ipu/cost/exchange/links.h"

namespace ipusim::interop {

namespace {

using Text = std::back_insert_iterator<std::string>;

void writeHosts(const System& system, Text out) {
  const double flops = system.ipu.peakFlopsPerCycle(ElementType::Half, ElementType::Half);
  for (std::uint32_t ipu = 0; ipu < system.ipus; ++ipu) {
    fmt::format_to(out, "    <host id=\"ipu{}\" speed=\"{:.0f}f\"/>\n", ipu,
                   flops * system.ipu.clock_hz);
  }
}

void writeLinks(const System& system, Text out) {
  const auto payload = static_cast<double>(system.timing.packet_payload.value());
  const double packets = 1 + static_cast<double>(system.timing.packet_header.value()) / payload;
  for (std::size_t s = 0; s < system.links.size(); ++s) {
    const LinkSet& set = system.links[s];
    const double rate = 1 / models::setSeconds(system, set, Bytes(1)) / packets;
    fmt::format_to(out,
                   "    <link id=\"set{}_{}_to_{}\" bandwidth=\"{:.17g}Bps\" latency=\"0s\"/>\n", s,
                   set.from, set.to, rate);
  }
}

void writeRoutes(const System& system, Text out) {
  const models::Routes routes(system);
  for (std::uint32_t from = 0; from < system.ipus; ++from) {
    for (std::uint32_t to = 0; to < system.ipus; ++to) {
      if (from == to) continue;
      fmt::format_to(out, "    <route src=\"ipu{}\" dst=\"ipu{}\" symmetrical=\"NO\">", from, to);
      for (const std::uint32_t s : routes.between(from, to)) {
        const LinkSet& set = system.links[s];
        fmt::format_to(out, "<link_ctn id=\"set{}_{}_to_{}\"/>", s, set.from, set.to);
      }
      fmt::format_to(out, "</route>\n");
    }
  }
}

/// A name as an XML attribute.
std::string escaped(const std::string& name) {
  std::string text;
  for (const char c : name) {
    switch (c) {
      case '&':
        text += "&amp;";
        break;
      case '<':
        text += "&lt;";
        break;
      case '"':
        text += "&quot;";
        break;
      default:
        text += c;
    }
  }
  return text;
}

}  // namespace

std::string simGridPlatform(const System& system) {
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">\n";
  const Text out(text);
  fmt::format_to(out, "  <zone id=\"{}\" routing=\"Full\">\n", escaped(system.name));
  writeHosts(system, out);
  writeLinks(system, out);
  writeRoutes(system, out);
  text += "  </zone>\n</platform>\n";
  return text;
}

}  // namespace ipusim::interop
