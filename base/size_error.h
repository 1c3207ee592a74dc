// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <new>
#include <stdexcept>
#include <string>

#include "base/config_reader.h"

namespace ipusim {

/// A ConfigError at the largest whole number of `table`, in an array or not: where sizes together
/// are too large, it is the one to reduce first.
ConfigError errorAtLargest(const ConfigReader& table, const std::string& wanted);

/// What `work` returns, which the sizes in `table` are the size of. Where they make a count that 64
/// bits do not hold, or a list that memory does not hold, throws errorAtLargest.
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
