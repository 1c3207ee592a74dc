// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/text/json.h"
#include "ipusim/units.h"
#include "sim/answer/answer.h"

namespace ipusim::answer {

constexpr const char* kTooLargeForGpu = "its tensors are more than the memory of the GPU";

/// What studies compare of answers of any kind.
struct Outcome {
  RunKind kind = RunKind::Program;
  bool fits = false;
  /// The bytes that lack where they lack most, relative to what there is; 0 when nothing lacks.
  double overflow = 0;
  std::string lacks = {};  ///< what lacks memory and how much, as one line; empty when nothing does
  /// The time of a run, or of a step in parallel. On a GPU, that of the shortest run; none when the
  /// tensors do not fit.
  std::optional<double> seconds = {};
  Bytes max_tile = {};                ///< bytes of the fullest tile; 0 on a GPU
  std::optional<double> joules = {};  ///< of that time on all IPUs, where constants are known
};

Outcome outcomeOf(const Answer& answer);

/// For stores and caches.
Json toJson(const Outcome& outcome);
/// None for JSON of another form.
std::optional<Outcome> outcomeFrom(const Json& json);

}  // namespace ipusim::answer
