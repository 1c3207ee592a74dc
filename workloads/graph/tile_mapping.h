// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/icl/interval_map.hpp>
#include <cstdint>
#include <vector>

namespace ipusim::workloads {

/// Consecutive elements of a variable on one tile.
struct MappedInterval {
  std::uint64_t begin;
  std::uint64_t end;
  std::uint32_t tile;
  std::uint64_t local;  ///< elements of the variable that lie before `begin` on this tile
};

/// Where the elements of a variable live. A tile packs its share in the order of the elements.
class TileMapping {
 public:
  /// Maps [begin, end) to `tile`; a later call wins.
  void set(std::uint64_t begin, std::uint64_t end, std::uint32_t tile);

  /// The intervals in order, neighbours on one tile joined.
  [[nodiscard]] std::vector<MappedInterval> intervals() const;

 private:
  // An enricher keeps tile 0, which an absorber would take for "nothing".
  boost::icl::interval_map<std::uint64_t, std::uint32_t, boost::icl::partial_enricher> map_;
};

}  // namespace ipusim::workloads
