// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <optional>
#include <string>
#include <utility>

// The one place below `main` that catches. An error is told again as another one, or ends there
// and leaves no value. Each call names the types of errors that it takes; all others pass.

namespace ipusim {

namespace detail {

template <typename... Errors>
bool isOneOf(const std::exception& error) {
  return ((dynamic_cast<const Errors*>(&error) != nullptr) || ...);
}

template <typename Error, typename Tell>
void translateAs(const std::exception& error, const Tell& tell) {
  if (const auto* known = dynamic_cast<const Error*>(&error)) throw tell(*known);
}

}  // namespace detail

/// Returns what `work` returns. Of an error of a type in Errors, throws what `tell` makes. The
/// first type that fits is the one that `tell` is given.
template <typename... Errors, typename Work, typename Tell>
auto translateErrors(const Work& work, const Tell& tell) {
  try {
    return work();
  } catch (const std::exception& error) {
    (detail::translateAs<Errors>(error, tell), ...);
    throw;
  }
}

/// What `work` returns; none when an error of a type in Errors ended it.
template <typename... Errors, typename Work>
auto resultOrNone(const Work& work) -> std::optional<decltype(work())> {
  try {
    return work();
  } catch (const std::exception& error) {
    if (detail::isOneOf<Errors...>(error)) return std::nullopt;
    throw;
  }
}

/// The message of an error of a type in Errors that ended `work`; none when it ended well.
template <typename... Errors, typename Work>
std::optional<std::string> faultOf(const Work& work) {
  try {
    work();
    return std::nullopt;
  } catch (const std::exception& error) {
    if (detail::isOneOf<Errors...>(error)) return error.what();
    throw;
  }
}

/// Whatever ended `work`, for another thread to throw; null when it ended well.
template <typename Work>
std::exception_ptr failureOf(const Work& work) {
  try {
    work();
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace ipusim
