// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/compile/placement.h"
#include "sim/compile/radix_sort.h"

namespace ipusim::compiler {

/// A move between two blocks: a walk over the elements, of the size `element`, in both of them.
struct BlockMove {
  BlockId from;
  BlockId to;
  Bytes element;
  Walk<BlockOffsets> walk;
};

/// Gathers what has to move between two compute steps and turns it into the steps that move it:
/// copy vertices where both ends are on one tile, messages where they are not. Equal data for
/// several tiles becomes one message.
class Transfer {
 public:
  explicit Transfer(const Placement& placement) : placement_(placement) {}

  void add(const BlockMove& move);
  /// The parts of one view, packed, for all `landings`: one message for each part.
  void addMulticast(const std::vector<ViewPart>& parts, Landings landings);

  /// The steps, named after `name`, in the order: copies, sync, exchange. Empties this.
  std::vector<Step> take(const std::string& name);

 private:
  /// Sorts `local_`.
  [[nodiscard]] std::vector<BoundFamily> copyFamilies();
  /// Makes messages to one receiver that send the same into one to several.
  void joinEqual();
  /// Joins those of them, sorted, that one key may stand for; their numbers go to `joined`.
  void joinAmong(const Keyed* first, const Keyed* end, std::vector<std::uint32_t>& joined);

  const Placement& placement_;
  Step exchange_;
  std::vector<Keyed> unicasts_;  ///< messages to one receiver, by a hash of what they send
  std::vector<BlockMove> local_;
};

}  // namespace ipusim::compiler
