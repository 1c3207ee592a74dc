// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <new>
#include <stdexcept>
#include <string>

#include "base/config/config_reader.h"
#include "base/error_boundary.h"

namespace ipusim {

/// A ConfigError at the largest whole number of `table`, which may be in an array. When sizes
/// together are too large, the largest is the first one to reduce.
ConfigError errorAtLargest(const ConfigReader& table, const std::string& wanted);

/// Calls `work`, whose result grows with the sizes in `table`, and returns its result. Throws
/// errorAtLargest when a count does not fit 64 bits or when a list does not fit memory.
template <typename Work>
auto withinLimits(const ConfigReader& table, const Work& work) {
  const auto counted = [&] {
    return translateErrors<std::bad_alloc, std::length_error>(work, [&](const std::exception&) {
      return errorAtLargest(table, "sizes that take no more than the memory of this computer");
    });
  };
  return translateErrors<CountError>(counted, [&](const CountError&) {
    return errorAtLargest(table, "sizes whose work, bytes and cycles 64 bits can count");
  });
}

}  // namespace ipusim
