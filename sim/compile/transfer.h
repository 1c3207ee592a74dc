// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/compile/placement.h"
#include "sim/compile/radix_sort.h"

namespace ipusim::compiler {

/// A move between two blocks: a walk over the elements of both blocks. An element has `element`
/// bytes.
struct BlockMove {
  BlockId from;
  BlockId to;
  Bytes element;
  Walk<BlockOffsets> walk;
};

/// Gathers what has to move between two compute steps and turns it into steps. A move within a tile
/// becomes a copy vertex, and a move between tiles becomes a message. Equal data for several tiles
/// becomes one message.
class Transfer {
 public:
  explicit Transfer(const Placement& placement) : placement_(placement) {}

  void add(const BlockMove& move);
  /// Adds one message per part of a view. Each message brings its part, packed, to all `landings`.
  void addMulticast(const std::vector<ViewPart>& parts, Landings landings);

  /// The steps in the order copies, sync, exchange. `name` begins their names. The transfer is
  /// empty afterwards.
  std::vector<Step> take(const std::string& name);

 private:
  /// Sorts `local_`.
  [[nodiscard]] std::vector<BoundFamily> copyFamilies();
  /// Joins messages to one receiver that send equal data into one message to several.
  void joinEqual();
  /// Joins messages among those from `first` to `end`, which are sorted and share a key. Adds the
  /// numbers of the joined messages to `joined`.
  void joinAmong(const Keyed* first, const Keyed* end, std::vector<std::uint32_t>& joined);

  const Placement& placement_;
  Step exchange_;
  std::vector<Keyed> unicasts_;  ///< messages to one receiver, by a hash of what they send
  std::vector<BlockMove> local_;
};

}  // namespace ipusim::compiler
