// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/text/json.h"

namespace ipusim::sweep {

/// A scalar of a result under its dotted path.
struct Scalar {
  std::string path;
  std::string text;
};

/// The scalars of `object`, in order; arrays and nulls are left out.
std::vector<Scalar> flatten(const Json& object);

}  // namespace ipusim::sweep
