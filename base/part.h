// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ipusim {

/// Something was asked of a part that this program was built without; cmake/Parts.cmake lists the
/// parts. It is no std::exception: only main() may catch it, so that nobody takes what a missing
/// part could not do for a result.
class PartAbsent {
 public:
  explicit PartAbsent(const char* part) : part_(part) {}
  /// A name of cmake/Parts.cmake.
  [[nodiscard]] const char* part() const { return part_; }

 private:
  const char* part_;
};

}  // namespace ipusim
