// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/machine/system_links.h"

#include <algorithm>

namespace ipusim {

namespace {

class Links {
 public:
  explicit Links(const SystemShape& shape) : shape_(shape) {}

  void rung(std::uint32_t a, std::uint32_t b) {
    both({a, b, shape_.rung_own_links, shape_.link_bytes_per_second, LinkTraffic::Own});
    both({a, b, shape_.rung_through_links, shape_.link_bytes_per_second, LinkTraffic::Through});
  }
  void rail(std::uint32_t a, std::uint32_t b) {
    both({a, b, shape_.rail_links, shape_.link_bytes_per_second});
  }
  /// Racks in a ring have two neighbours, which share the rate.
  void gateway(std::uint32_t a, std::uint32_t b, std::uint32_t racks) {
    const std::uint64_t neighbours = racks > 2 ? 2 : 1;
    both({a, b, 1, shape_.gateway_bytes_per_second / neighbours});
  }

  [[nodiscard]] std::vector<LinkSet> all() && { return std::move(sets_); }

 private:
  void both(LinkSet set) {
    if (set.links == 0) return;
    sets_.push_back(set);
    std::swap(set.from, set.to);
    sets_.push_back(set);
  }

  const SystemShape& shape_;
  std::vector<LinkSet> sets_;
};

/// The ladder of the IPUs [first, first + count).
void addLadder(std::uint32_t first, std::uint32_t count, bool is_closed, Links& links) {
  const std::uint32_t end = first + count;
  for (std::uint32_t ipu = first; ipu + 1 < end; ipu += 2) links.rung(ipu, ipu + 1);
  for (std::uint32_t ipu = first; ipu + 2 < end; ++ipu) links.rail(ipu, ipu + 2);
  constexpr std::uint32_t kLeastRing = 6;  // two rungs are neighbours already
  if (is_closed && count >= kLeastRing) {
    links.rail(end - 2, first);
    links.rail(end - 1, first + 1);
  }
}

}  // namespace

std::vector<LinkSet> ladderLinks(const SystemShape& shape) {
  Links links(shape);
  const std::uint32_t of_rack = std::min(shape.rack_ipus, shape.ipus);
  const std::uint32_t racks = shape.ipus / of_rack;
  for (std::uint32_t rack = 0; rack < racks; ++rack) {
    addLadder(rack * of_rack, of_rack, shape.is_closed, links);
  }
  for (std::uint32_t rack = 0; rack + 1 < racks || (racks > 2 && rack < racks); ++rack) {
    for (std::uint32_t place = 0; place < of_rack; ++place) {
      links.gateway(rack * of_rack + place, (rack + 1) % racks * of_rack + place, racks);
    }
  }
  return std::move(links).all();
}

}  // namespace ipusim
