// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ipusim::explore {

/// How a point came out.
enum class Status : std::uint8_t {
  Ok,
  DoesNotFit,
  Invalid,  ///< the config is wrong at this point
  Failed,   ///< a bug of ours, or the process that computed it came to an end
};

/// ok, does_not_fit, invalid, failed.
const char* nameOf(Status status);
/// None for any other text.
std::optional<Status> statusNamed(const std::string& name);

/// What is kept of a point.
struct PointResult {
  Status status = Status::Ok;
  std::string reason;         ///< one line where it is invalid or failed, else empty
  std::string result = "{}";  ///< JSON: dotted path of a scalar -> its text, in order; no axes
  double seconds = 0;         ///< of wall time that it took
};

/// A text of the result for another process, and back.
std::string toText(const PointResult& result);
PointResult resultFrom(const std::string& text);

}  // namespace ipusim::explore
