// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/text/json.h"
#include "sim/report/diff/changes.h"

namespace ipusim::report {

/// A result and what people call it.
struct NamedResult {
  std::string name;
  const Json& result;  ///< as withVariables() or readResult() gives it
};

/// What the page of two results is drawn from: the heads of both, the bytes of their tiles where
/// they have them, and `parts`, which is what changed from `a` to `b`.
Json changesPageData(const std::vector<ChangedPart>& parts, const NamedResult& a,
                     const NamedResult& b);

}  // namespace ipusim::report
