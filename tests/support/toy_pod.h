// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "base/config/config_reader.h"
#include "models/ipu/machine/system.h"

namespace ipusim::models {

/// A ladder of toy machines with `tiles` tiles each, and round figures: a link moves 1 B per cycle
/// without loss, packets hold 64 B and have headers of 4 B, an exchange costs 50 cycles besides its
/// sync, and the sync 5 cycles per hop and way. Neighbours on a rung share 4 links for their own
/// traffic and 2 for that of others; a rail has 2.
inline std::string toyPodTable(std::uint32_t ipus, std::uint32_t tiles = 4) {
  return fmt::format(
      "{{base = \"m2000\", ipus = {}, ipu = {{base = \"toy\", tiles = {}}}, "
      "link_bytes_per_second = 1_000_000_000, link_efficiency = 1.0, global_exchange_cycles = 50, "
      "sync_hop_seconds = 5e-9, packet_payload_bytes = 64, packet_header_bytes = 4, "
      "exchange_contexts = 8}}",
      ipus, tiles);
}

inline System toySystem(std::uint32_t ipus, std::uint32_t tiles = 4) {
  const std::string text = "machine = " + toyPodTable(ipus, tiles);
  return readSystem(ConfigReader::fromText(text, "toy_pod.toml"));
}

}  // namespace ipusim::models
