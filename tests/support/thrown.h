// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

namespace ipusim {

/// The message of the ConfigError that `act` throws; a test failure and "" when it throws none.
template <typename Act>
std::string configErrorOf(const Act& act) {
  try {
    act();
  } catch (const ConfigError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no ConfigError was thrown";
  return {};
}

/// The same for an InternalError.
template <typename Act>
std::string internalErrorOf(const Act& act) {
  try {
    act();
  } catch (const InternalError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no InternalError was thrown";
  return {};
}

}  // namespace ipusim
