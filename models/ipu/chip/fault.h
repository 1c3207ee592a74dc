// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ipusim::models {

/// The first thing that went wrong on the chip. An exception thrown inside a SystemC process
/// reaches the caller of sc_start as another type, so processes raise here, and the caller of
/// sc_start throws.
class Fault {
 public:
  /// Keeps `what` unless something was raised before, and ends the simulation.
  void raise(const std::string& what);
  /// Throws InternalError if something was raised.
  void rethrow() const;

 private:
  std::string what_;
};

}  // namespace ipusim::models
