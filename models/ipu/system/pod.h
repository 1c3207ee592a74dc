// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/config_reader.h"
#include "base/preset_chain.h"
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
  std::uint32_t set;  ///< index into Pod::links
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

/// Several equal IPUs, and the links between them. Immutable; read from a preset in which every
/// number names its source.
struct Pod {
  std::string name;
  Machine ipu;
  std::uint32_t ipus;
  std::uint32_t rack_ipus;  ///< IPUs of a rack: gateway links join racks
  std::vector<LinkSet> links;
  RouteRule route;
  LinkTiming timing;
};

/// All tiles of the IPUs as one machine: tile t of IPU i has the number i * ipu.tiles + t.
Machine flatMachine(const Pod& pod);

/// Reads the preset of that name or path, from configs/systems. Throws ConfigError.
Pod readPod(const std::string& name_or_path);
/// Reads what `key` of a config names: a preset, or a table on top of one such as
/// `{base = "pod16", ipus = 4}`. Throws ConfigError.
Pod readPod(const ConfigReader& config, std::string_view key);

/// Whether `key` of a config names a system, or a table on top of one. Throws ConfigError for a
/// name that no system and no machine has.
bool namesPod(const ConfigReader& config, std::string_view key = "machine");

/// Reads what `key` of a config names: a system, or a machine, which is a system of one IPU without
/// links. Throws ConfigError.
Pod readMachineOrPod(const ConfigReader& config, std::string_view key = "machine");

/// Names of the shipped systems, sorted.
std::vector<std::string> podNames();

}  // namespace ipusim
