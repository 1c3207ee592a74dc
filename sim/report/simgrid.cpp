// SPDX-License-Identifier: Apache-2.0
#include "sim/report/simgrid.h"

#include <fmt/format.h>

#include <iterator>

#include "models/ipu/cost/links.h"

namespace ipusim::run {

namespace {

using Text = std::back_insert_iterator<std::string>;

void writeHosts(const Pod& pod, Text out) {
  const double flops = pod.ipu.peakFlopsPerCycle(ElementType::Half, ElementType::Half);
  for (std::uint32_t ipu = 0; ipu < pod.ipus; ++ipu) {
    fmt::format_to(out, "    <host id=\"ipu{}\" speed=\"{:.0f}f\"/>\n", ipu,
                   flops * pod.ipu.clock_hz);
  }
}

void writeLinks(const Pod& pod, Text out) {
  const auto payload = static_cast<double>(pod.timing.packet_payload.value());
  const double packets = 1 + static_cast<double>(pod.timing.packet_header.value()) / payload;
  for (std::size_t s = 0; s < pod.links.size(); ++s) {
    const LinkSet& set = pod.links[s];
    const double rate = 1 / models::setSeconds(pod, set, Bytes(1)) / packets;
    fmt::format_to(out,
                   "    <link id=\"set{}_{}_to_{}\" bandwidth=\"{:.17g}Bps\" latency=\"0s\"/>\n", s,
                   set.from, set.to, rate);
  }
}

void writeRoutes(const Pod& pod, Text out) {
  const models::Routes routes(pod);
  for (std::uint32_t from = 0; from < pod.ipus; ++from) {
    for (std::uint32_t to = 0; to < pod.ipus; ++to) {
      if (from == to) continue;
      fmt::format_to(out, "    <route src=\"ipu{}\" dst=\"ipu{}\" symmetrical=\"NO\">", from, to);
      for (const std::uint32_t s : routes.between(from, to)) {
        const LinkSet& set = pod.links[s];
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

std::string simGridPlatform(const Pod& pod) {
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">\n";
  const Text out(text);
  fmt::format_to(out, "  <zone id=\"{}\" routing=\"Full\">\n", escaped(pod.name));
  writeHosts(pod, out);
  writeLinks(pod, out);
  writeRoutes(pod, out);
  text += "  </zone>\n</platform>\n";
  return text;
}

}  // namespace ipusim::run
