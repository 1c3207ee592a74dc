// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ipusim/element_type.h"
#include "poplar/detail/graph_api.hpp"

// How the element types of programs lie in tile memory.

namespace poplar::detail {

/// An element is `unit` elements of a variable of type `type`.
struct Storage {
  ipusim::ElementType type;
  std::size_t unit;
};

/// Types that only programs know are stored as others of their size. Throws type_error for none.
Storage storageOf(TypeId type);

/// Types of whole numbers of that many bytes; None where there are none.
TypeId signedType(std::size_t bytes);
TypeId unsignedType(std::size_t bytes);

/// Whether elements of the type are numbers with a fraction.
bool isFraction(TypeId type);

/// Numbers of the host as bytes of the device.
std::vector<std::byte> converted(const HostValues& values, TypeId to);

/// A whole number that an element holds. Throws type_error for a type of fractions.
std::int64_t wholeNumber(TypeId type, const std::byte* element);

/// An element as PrintTensor writes it.
std::string textOf(TypeId type, const std::byte* element);

inline std::string stringOf(Text text) {
  return std::string(text.data, text.size);
}
inline void write(Sink sink, const std::string& text) {
  sink.append(sink.to, Text{text.data(), text.size()});
}

}  // namespace poplar::detail
