// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "ipusim/element_type.h"
#include "ipusim/reference.h"

namespace ipusim::executor {

/// `count` places, `stride` apart. The unit is that of the array: values or bytes.
struct StridedRange {
  std::uint64_t count;
  std::uint64_t stride;
};

/// Puts the number that element i in tile memory stands for into `to[i * to_stride]`. The elements
/// are `bytes.stride` bytes apart.
void loadElements(ElementType type, const std::byte* from, const StridedRange& bytes, double* to,
                  std::uint64_t to_stride = 1);

/// Puts `from[i * from_stride]` into tile memory as `type` holds it. A half and a float are rounded
/// to nearest even; a bool is true unless the value is 0. Throws InternalError for a value that an
/// integer type cannot hold.
void storeElements(ElementType type, const double* from, std::uint64_t from_stride,
                   const StridedRange& bytes, std::byte* to);

/// Loads or stores one element.
double loadElement(ElementType type, const std::byte* from);
void storeElement(ElementType type, double value, std::byte* to);

/// `value` as `type` holds it.
double roundedTo(ElementType type, double value);
void roundTo(ElementType type, TensorValues& values);

}  // namespace ipusim::executor
