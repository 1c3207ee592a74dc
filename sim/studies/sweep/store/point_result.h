// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/answer/outcome.h"

namespace ipusim::sweep {

/// How a point ended.
enum class Status : std::uint8_t {
  Ok,
  DoesNotFit,
  Invalid,  ///< the config is wrong at this point
  Failed,   ///< a bug of this project, or the process that computed the point ended
};

/// The status in results: ok, does_not_fit, invalid or failed.
const char* nameOf(Status status);
/// The status with that name; none for any other text.
std::optional<Status> statusNamed(const std::string& name);

/// The stored result of a point.
struct PointResult {
  Status status = Status::Ok;
  std::string reason;  ///< one line when the point is invalid or failed, otherwise empty
  /// JSON: from the dotted path of a scalar to its text, in order, without the axes.
  std::string result = "{}";
  double seconds = 0;  ///< wall time that the point took
  /// What studies compare of a point. None where other work is kept like a point.
  std::optional<answer::Outcome> outcome = {};
};

/// Writes the result as text for another process, and reads it back.
std::string toText(const PointResult& result);
PointResult resultFrom(const std::string& text);

}  // namespace ipusim::sweep
