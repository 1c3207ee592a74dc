// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "ipusim/units.h"
#include "models/ipu/machine/system.h"

namespace ipusim::models {

/// Bytes that one IPU sends to another.
struct Flow {
  std::uint32_t from;
  std::uint32_t to;
  Bytes bytes;
};

/// Finds the ways between the IPUs of a system.
class Routes {
 public:
  /// `system` must outlive this.
  explicit Routes(const System& system);

  /// The sets, by their index in System::links, that a flow goes over, in order. Empty from an IPU
  /// to itself. Throws ConfigError, which names the two IPUs, where there is no way.
  [[nodiscard]] std::vector<std::uint32_t> between(std::uint32_t from, std::uint32_t to) const;

  /// The bytes that each set carries while all flows run: one entry per set of System::links.
  [[nodiscard]] std::vector<Bytes> loads(const std::vector<Flow>& flows) const;

 private:
  [[nodiscard]] std::vector<std::uint32_t> ladder(std::uint32_t from, std::uint32_t to) const;
  [[nodiscard]] std::vector<std::uint32_t> shortest(std::uint32_t from, std::uint32_t to) const;
  [[nodiscard]] std::uint32_t set(std::uint32_t from, std::uint32_t to, LinkTraffic traffic) const;

  const System* system_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> sets_;
};

/// How long a set takes for so many bytes, packet headers included.
double setSeconds(const System& system, const LinkSet& set, Bytes bytes);

/// How long the fullest set takes for its payload, with packet headers added.
double linkSeconds(const System& system, const std::vector<Bytes>& loads);

/// The external sync of `ipus` IPUs: there and back over 1 + ipus / 4 hops, rounded down. The sync
/// inside each IPU is part of the fixed cost of an exchange.
/// Source: graphcore/poplibs lib/poplibs_test/Util.cpp (MIT).
double externalSyncSeconds(const System& system, std::uint32_t ipus);
/// With so many seconds per hop and way.
double externalSyncSeconds(double hop_seconds, std::uint32_t ipus);

/// A global exchange of the flows among `ipus` IPUs that sync:
///
///   sync + fixed + max(links, tiles)
///
/// where the links are linkSeconds(), and the tiles are tileSeconds() of the IPU that sends or
/// receives most, over all its tiles.
double globalExchangeSeconds(const System& system, const Routes& routes,
                             const std::vector<Flow>& flows, std::uint32_t ipus);

/// How long the tiles of an IPU take to hand over `bytes` that are spread over `tiles` tiles: each
/// tile sends at the rate of the exchange, each context passes one word per cycle.
double tileSeconds(const System& system, Bytes bytes, std::uint32_t tiles);

}  // namespace ipusim::models
