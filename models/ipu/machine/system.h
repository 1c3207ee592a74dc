// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/config/config_reader.h"
#include "base/config/preset_chain.h"
#include "ipusim/machine.h"

namespace ipusim {

/// What a set of links carries.
enum class LinkTraffic : std::uint8_t {
  Any,      ///< all flows
  Own,      ///< flows that begin and end at its two IPUs
  Through,  ///< flows that go on to another IPU, or come from one
};

/// Links from one IPU to another that carry bytes together, in that direction.
struct LinkSet {
  std::uint32_t from;
  std::uint32_t to;
  std::uint32_t links;
  std::uint64_t bytes_per_second;  ///< of one link
  LinkTraffic traffic = LinkTraffic::Any;
};

/// What an exchange puts on a set of links.
struct LinkLoad {
  std::uint32_t set;  ///< index into System::links
  Bytes bytes;        ///< packet headers included
  Cycles busy;        ///< how long the set takes for them
};

/// How a flow finds its way.
enum class RouteRule : std::uint8_t {
  /// IPUs 2k and 2k + 1 are a rung. IPUs with even numbers are one rail, those with odd numbers the
  /// other. A flow crosses the rung first and then goes along the rail.
  /// Source: graphcore/poplibs lib/poplibs_test/Util.cpp (MIT).
  Ladder,
  Shortest,  ///< over the fewest sets; of equals, over the IPU with the lowest number
};

/// Times of exchanges between IPUs.
struct LinkTiming {
  double efficiency;       ///< share of a link's rate that packets reach, headers included
  Cycles fixed;            ///< a global exchange besides its payload and its sync
  double hop_seconds;      ///< the external sync, per hop and way
  std::uint32_t contexts;  ///< exchange contexts, over which tiles reach the links
  Bytes packet_payload;
  Bytes packet_header;
};

/// Equal IPUs, and the links between them. Immutable; read from a preset in which every number
/// names its source. Tile t of IPU i has the number i * ipu.tiles + t.
struct System {
  std::string name;
  Machine ipu = {};
  std::uint32_t ipus = 1;
  std::uint32_t rack_ipus = 1;  ///< IPUs of a rack: gateway links join racks
  std::vector<LinkSet> links = {};
  RouteRule route = RouteRule::Ladder;
  LinkTiming timing = {};

  System() = default;
  /// A machine is a system of one IPU, without links.
  System(Machine machine)  // NOLINT(google-explicit-constructor)
      : name(machine.name), ipu(std::move(machine)) {}

  /// The name of what a program runs on: a single IPU has its own.
  [[nodiscard]] const std::string& machineName() const { return ipus == 1 ? ipu.name : name; }
  /// The tiles of all IPUs.
  [[nodiscard]] std::uint32_t tiles() const { return ipus * ipu.tiles; }
  /// What an operation needs to know that is spread over the tiles of all IPUs.
  [[nodiscard]] Architecture allTiles() const;
};

/// Reads the preset of that name or path, from configs/systems. Throws ConfigError.
System readSystem(const std::string& name_or_path);
/// Reads what `key` of a config names: a system, a machine, or a table on top of one such as
/// `{base = "pod16", ipus = 4}`. Throws ConfigError.
System readSystem(const ConfigReader& config, std::string_view key = "machine");

/// Whether `key` of a config names a preset of a system, or a table on top of one, and not a
/// machine. Throws ConfigError for a name that no system and no machine has.
bool namesSystem(const ConfigReader& config, std::string_view key = "machine");

/// Names of the shipped systems, sorted.
std::vector<std::string> systemNames();

}  // namespace ipusim
