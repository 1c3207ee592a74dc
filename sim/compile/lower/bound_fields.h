// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "ipusim/ids.h"
#include "ipusim/section.h"
#include "ipusim/units.h"

// The pointers of vertices into tile memory. A large program has millions of families of vertices,
// and few stages read their pointers: a family keeps them packed.

namespace ipusim::compiler {

/// A list that stores a few elements without an allocation. Its move never throws: a vector that
/// grows then moves its lists and does not copy them.
template <typename Element, std::size_t Inline>
class ShortList : public boost::container::small_vector<Element, Inline> {
 public:
  using boost::container::small_vector<Element, Inline>::small_vector;

  ShortList() = default;
  ShortList(const ShortList&) = default;
  ShortList(ShortList&&) noexcept = default;
  ShortList& operator=(const ShortList&) = default;
  ShortList& operator=(ShortList&&) noexcept = default;
  ~ShortList() = default;
};

/// Pointers into a block: a walk that begins at the block's first byte.
struct EdgePattern {
  BlockId block;
  Walk<Bytes, 3> walk;
};

/// The pointers of one field for all vertices of a family: first the pointers of the first vertex,
/// then those of the second, and so on.
struct BoundField {
  ShortList<EdgePattern, 1> patterns;
};

/// The fields of a family, packed into bytes.
class BoundFields {
 public:
  using List = ShortList<BoundField, 3>;

  BoundFields() = default;
  explicit BoundFields(const List& fields);
  BoundFields(std::initializer_list<BoundField> fields);

  [[nodiscard]] List list() const;

 private:
  void add(const BoundField& field);
  void add(std::uint64_t number);

  /// Numbers of 7 bits per byte, the lowest first; the last byte of a number is below 128. A field
  /// has the number of its patterns, then the patterns. A pattern has block, begin, the number of
  /// its levels, and count and stride of each. Three fields with a level each mostly fit.
  ShortList<std::uint8_t, 40> bytes_;
};

}  // namespace ipusim::compiler
