// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "poplar/Type.hpp"
#include "poplar/detail/handle.hpp"

// What the library does with tensors. All of it throws the exceptions of poplar/exceptions.hpp.

namespace poplar {
namespace detail {

struct TensorData;
void retain(TensorData* tensor);
void release(TensorData* tensor);

TypeId typeOf(const TensorData* tensor);
std::size_t rankOf(const TensorData* tensor);
std::size_t dimOf(const TensorData* tensor, std::size_t dimension);
std::size_t elementsOf(const TensorData* tensor);
bool hasAliases(const TensorData* tensor);
bool hasConstant(const TensorData* tensor);
/// Both null, or views of the same elements in the same shape.
bool areEqual(const TensorData* a, const TensorData* b);
/// Calls `add` with each range of the flattened tensor whose elements follow one another.
void contiguousRegions(const TensorData* tensor, void* to,
                       void (*add)(void* to, std::size_t begin, std::size_t end));
/// Ranges by turns of begin and end.
struct Ranges {
  const std::size_t* bounds;
  std::size_t count;
  bool without_aliases;
};
/// Calls `add` with parts of ranges of the flattened tensor in the order of the variables.
/// `is_next` says that the part follows the one before it in the variable. Without aliases, an
/// element of a variable comes once.
void sortedRegions(const TensorData* tensor, const Ranges& ranges, void* to,
                   void (*add)(void* to, bool is_next, std::size_t begin, std::size_t end));
void nameOf(const TensorData* tensor, Sink sink);

// Each of these gives away a new reference.
TensorData* indexed(const TensorData* tensor, std::size_t index);
TensorData* sliced(const TensorData* tensor, std::size_t begin, std::size_t end,
                   std::size_t dimension);
TensorData* reshaped(const TensorData* tensor, const std::size_t* shape, std::size_t rank);
TensorData* shuffled(const TensorData* tensor, const unsigned* order, std::size_t rank);
TensorData* repeatedAlong(const TensorData* tensor, std::size_t count, std::size_t dimension);
TensorData* subSampled(const TensorData* tensor, std::size_t stride, std::size_t dimension);
TensorData* reversed(const TensorData* tensor, std::size_t dimension);
TensorData* reinterpreted(const TensorData* tensor, TypeId type);
TensorData* joined(const TensorData* const* parts, std::size_t count, std::size_t dimension);

}  // namespace detail
}  // namespace poplar
