// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/DebugInfoMetadata.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "poplar/codelets/vertex_type.h"

// C++ types as debug information has them. A null pointer is void.

namespace ipusim::codelets {

/// The type without typedef, const and volatile.
const llvm::DIType* plainType(const llvm::DIType* type);
/// The name as templates of vertices write it: `float`, `half`, `ns::Foo<int>`.
std::string nameOfType(const llvm::DIType* type);
std::uint32_t bytesOfType(const llvm::DIType* type);
std::uint32_t alignmentOfType(const llvm::DIType* type);
Element elementOfType(const llvm::DIType* type);

/// True where the type is the class or an instance of the template `name` of namespace poplar.
bool isPoplar(const llvm::DIType* type, std::string_view name);
/// The plain type of template parameter `name`; null where there is none.
const llvm::DIType* typeParameter(const llvm::DIType* type, std::string_view name);
/// The number of template parameter `name`; 0 where there is none.
std::uint64_t valueParameter(const llvm::DIType* type, std::string_view name);

/// Calls `take` with each member and base class; functions are not among them.
template <typename Take>
void forEachMember(const llvm::DIType* type, const Take& take) {
  const auto* const whole = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
  if (whole == nullptr) return;
  for (const llvm::DINode* const element : whole->getElements()) {
    if (const auto* const member = llvm::dyn_cast_or_null<llvm::DIDerivedType>(element))
      take(*member);
  }
}

}  // namespace ipusim::codelets
