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
  /// Says that the program runs beyond the last cycle, and ends the simulation.
  void raiseTooLong();
  /// Throws InternalError if something was raised, and CountError for a program that runs too long.
  void rethrow() const;

 private:
  std::string what_;
  bool too_long_ = false;
};

}  // namespace ipusim::models
