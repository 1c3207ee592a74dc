// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "ipusim/error.h"

namespace ipusim {

/// The message of the Error that `act` throws. When it throws none, the test fails and the message
/// is empty.
template <typename Error, typename Act>
std::string errorOf(const Act& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

template <typename Act>
std::string configErrorOf(const Act& act) {
  return errorOf<ConfigError>(act);
}

template <typename Act>
std::string graphErrorOf(const Act& act) {
  return errorOf<GraphError>(act);
}

template <typename Act>
std::string internalErrorOf(const Act& act) {
  return errorOf<InternalError>(act);
}

}  // namespace ipusim
