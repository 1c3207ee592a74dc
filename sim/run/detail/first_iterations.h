// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ipusim/observer.h"
#include "sim/run/detail/tile_bands.h"

namespace ipusim::run {

/// Hears when the tiles are in each step for the first time. Tells another observer, which may be
/// null, all that it hears.
class FirstIterations : public Observer {
 public:
  FirstIterations(std::size_t steps, const TileBands& bands, Observer* next);

  void busy(TileId tile, OpKind kind, const Interval& when) override;
  void transmission(std::uint32_t transmission, const Interval& when) override;
  void sync(const Interval& when) override;
  void hostTransfer(std::uint32_t transfer, const Interval& when) override;

  /// When the bands are in `step` for the first time.
  [[nodiscard]] BandSpans of(std::size_t step) const;

 private:
  struct Span {
    Cycles begin = kLastCycle;
    Cycles end;
  };

  TileBands bands_;
  std::uint32_t tiles_;
  Observer* next_;
  std::vector<bool> heard_;  // [step * tiles + tile]: the first iteration is over
  std::vector<Span> spans_;  // [step * bands + band]
};

}  // namespace ipusim::run
