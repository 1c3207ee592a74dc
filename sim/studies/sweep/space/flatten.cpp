// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/space/flatten.h"

#include <nlohmann/json.hpp>

#include "base/text/json.h"

namespace ipusim::sweep {

namespace {

void addScalars(const Json& object, const std::string& prefix, std::vector<Scalar>& scalars) {
  for (const auto& [key, value] : object.items()) {
    if (value.is_object()) {
      addScalars(value, prefix + key + '.', scalars);
    } else if (!value.is_array() && !value.is_null()) {
      const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
      scalars.push_back({prefix + key, text});
    }
  }
}

}  // namespace

std::vector<Scalar> flatten(const Json& object) {
  std::vector<Scalar> scalars;
  addScalars(object, "", scalars);
  return scalars;
}

}  // namespace ipusim::sweep
