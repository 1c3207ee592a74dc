// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>

#include "ipusim/vertex_type.h"

namespace ipusim::workloads {

/// Makes one vertex type per key. A key is the part of a shape in which the vertices of an
/// operation differ. A graph has few types, and many families share each of them.
template <typename Key>
class TypeCache {
 public:
  /// The type of `key`. `make()` makes the type when it is first asked for.
  template <typename Make>
  const std::shared_ptr<const VertexType>& get(const Key& key, const Make& make) {
    std::shared_ptr<const VertexType>& type = types_[key];
    if (!type) type = shared(make());
    return type;
  }

 private:
  std::map<Key, std::shared_ptr<const VertexType>> types_;
};

}  // namespace ipusim::workloads
