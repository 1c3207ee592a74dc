// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <new>
#include <stdexcept>
#include <string>

#include "base/config_reader.h"

namespace ipusim {

/// A ConfigError at the largest whole number of `table`, which may be in an array. When sizes
/// together are too large, the largest is the first one to reduce.
ConfigError errorAtLargest(const ConfigReader& table, const std::string& wanted);

/// Calls `work`, whose result grows with the sizes in `table`, and returns its result. Throws
/// errorAtLargest when a count does not fit 64 bits or when a list does not fit memory.
template <typename Work>
auto withinLimits(const ConfigReader& table, const Work& work) {
  try {
    return work();
  } catch (const CountError&) {
    throw errorAtLargest(table, "sizes whose work, bytes and cycles 64 bits can count");
  } catch (const std::bad_alloc&) {
    throw errorAtLargest(table, "sizes that take no more than the memory of this computer");
  } catch (const std::length_error&) {
    throw errorAtLargest(table, "sizes that take no more than the memory of this computer");
  }
}

}  // namespace ipusim
