// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "ipusim/element_type.h"
#include "ipusim/expected.h"

namespace ipusim::checker {

/// `count` places, `stride` apart. The unit is that of the array: values or bytes.
struct Stretch {
  std::uint64_t count;
  std::uint64_t stride;
};

/// The numbers that elements in tile memory stand for: `to[i * to_stride]` for element i, the
/// elements `from.stride` bytes apart.
void loadElements(ElementType type, const std::byte* from, const Stretch& bytes, double* to,
                  std::uint64_t to_stride = 1);

/// Puts `from[i * from_stride]` into tile memory as `type` holds it: a half and a float rounded to
/// nearest even, a bool true unless 0. Throws InternalError for what an integer type cannot hold.
void storeElements(ElementType type, const double* from, std::uint64_t from_stride,
                   const Stretch& bytes, std::byte* to);

/// One element.
double loadElement(ElementType type, const std::byte* from);
void storeElement(ElementType type, double value, std::byte* to);

/// `value` as `type` holds it.
double roundedTo(ElementType type, double value);
void roundTo(ElementType type, TensorValues& values);

}  // namespace ipusim::checker
