// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ctime>
#include <optional>

#include "ipusim/units.h"

namespace ipusim::cli {

/// While the object lives, something is going on of which nobody knows how much it will take, such
/// as the building of a graph. Says so once, on standard error, when it takes long or much memory.
///
/// A timer's signal looks, in the thread that works. A thread that looks would make each allocation
/// of the program take a lock, which is 5 % of the time of a short run. Only one object may exist
/// at a time.
class BuildWatch {
 public:
  /// What may be taken without a word.
  struct Thresholds {
    double seconds;
    Bytes memory;
  };

  /// `what` is a literal.
  BuildWatch(const char* what, const Thresholds& thresholds);
  BuildWatch(const BuildWatch&) = delete;
  BuildWatch& operator=(const BuildWatch&) = delete;
  ~BuildWatch();

  /// Called by the signal: allocates nothing.
  void look();

 private:
  const char* what_;
  Thresholds thresholds_;
  bool is_terminal_;
  bool has_told_ = false;
  timespec begin_ = {};
  std::optional<timer_t>
      timer_;  ///< none: the system gives no more, and the run does without a word
};

}  // namespace ipusim::cli
