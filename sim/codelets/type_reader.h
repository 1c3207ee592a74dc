// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/codelets/ir_metadata.h"
#include "sim/codelets/vertex_type.h"

namespace ipusim::codelets {

/// Reads C++ types from the metadata of debug information. A type is the name of its node.
class TypeReader {
 public:
  explicit TypeReader(const IrMetadata& metadata) : metadata_(metadata) {}

  /// The type without typedef, const and volatile.
  [[nodiscard]] std::string_view plain(std::string_view type) const;
  /// The name as templates of vertices write it: `float`, `half`, `ns::Foo<int>`.
  [[nodiscard]] std::string nameOf(std::string_view type) const;
  [[nodiscard]] std::uint32_t bytesOf(std::string_view type) const;
  [[nodiscard]] std::uint32_t alignmentOf(std::string_view type) const;
  [[nodiscard]] Element elementOf(std::string_view type) const;

  /// True where the type is the class or an instance of the template `name` of namespace poplar.
  [[nodiscard]] bool isPoplar(std::string_view type, std::string_view name) const;
  /// The type of template parameter `name`; empty where there is none.
  [[nodiscard]] std::string_view typeParameter(std::string_view type, std::string_view name) const;
  [[nodiscard]] std::uint64_t valueParameter(std::string_view type, std::string_view name) const;

  /// Calls `take` with the node of each member or base class.
  template <typename Take>
  void forEachMember(std::string_view type, const Take& take) const {
    for (const std::string_view item : metadata_.at(metadata_.at(type)["elements"]).items) {
      take(metadata_.at(item));
    }
  }

 private:
  [[nodiscard]] std::string scopeOf(std::string_view type) const;
  [[nodiscard]] std::string parametersOf(std::string_view list) const;
  [[nodiscard]] std::string valueName(const MetadataNode& parameter) const;
  [[nodiscard]] const MetadataNode* parameter(std::string_view type, std::string_view name) const;

  const IrMetadata& metadata_;
};

}  // namespace ipusim::codelets
