// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/vertex_type.h"

#include <algorithm>

namespace ipusim::codelets {

const Field* VertexType::field(const std::string& wanted) const {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const Field& each) { return each.name == wanted; });
  return found == fields.end() ? nullptr : &*found;
}

}  // namespace ipusim::codelets
