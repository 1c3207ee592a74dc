// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/execute/tile_memories.h"

namespace ipusim::checker {

/// A field of a vertex type, as errors name it.
struct FieldName {
  const std::string& type;
  const std::string& field;

  [[nodiscard]] std::string text() const { return type + "." + field; }
};

/// A place in a block.
struct BlockPlace {
  BlockId block;
  Bytes offset;
};

/// What the edges of a field point at, one entry per edge.
struct EdgeList {
  std::vector<std::byte*> pointers;
  std::vector<BlockPlace> places;  ///< filled for memories that know who owns their bytes
};

/// Hands out the pointers of one bound field in their order.
class PointerCursor {
 public:
  /// All arguments must outlive the cursor.
  PointerCursor(const std::vector<compiler::Block>& blocks, TileMemories& memories)
      : blocks_(&blocks), memories_(&memories) {}

  /// Begins with the first pointer of `field`, which must outlive what is taken of it.
  void enter(const compiler::BoundField& field);

  /// Appends the next `count` pointers. Throws InternalError naming `name` where there are fewer,
  /// or where one has not got `bytes` of its block behind it.
  void take(std::uint64_t count, Bytes bytes, const FieldName& name, EdgeList& edges);
  [[nodiscard]] bool isAtEnd() const { return pattern_ == field_->patterns.size(); }

 private:
  using Counts = boost::container::small_vector<std::uint64_t, 3>;

  void enterPattern();
  /// Pointers left on the innermost level of the pattern, and their distance.
  [[nodiscard]] Level<Bytes> run() const;
  void advance(std::uint64_t steps);

  const compiler::BoundField* field_ = nullptr;
  const std::vector<compiler::Block>* blocks_;
  TileMemories* memories_;
  std::size_t pattern_ = 0;
  Counts index_;  ///< a level of the pattern: steps done
  Bytes offset_;  ///< of the next pointer in its block
};

/// The vertices of families, one after the other, with their data in tile memory.
class FamilyData final : public VertexData {
 public:
  /// The arguments must outlive this.
  FamilyData(const std::vector<compiler::Block>& blocks, TileMemories& memories)
      : blocks_(&blocks), memories_(&memories) {}

  /// All vertices of `family` compute. Throws InternalError unless they have all pointers there
  /// are, and, in a strict run, where one reads what another block has written over.
  void compute(const compiler::BoundFamily& family);

  /// Before the first vertex of `family`.
  void enter(const compiler::BoundFamily& family);
  /// Goes on to the next vertex.
  void next();
  /// Throws InternalError unless the vertices gone through had all pointers there are.
  void checkAtEnd() const;

  [[nodiscard]] std::byte* edge(std::size_t field, std::uint64_t edge) const override;

 private:
  [[nodiscard]] FieldName nameOf(std::size_t field) const;
  void computeStrictly(ByteOwners& owners) const;

  [[nodiscard]] std::size_t fields() const { return type_->fields.size(); }

  const std::vector<compiler::Block>* blocks_;
  TileMemories* memories_;
  const VertexType* type_ = nullptr;
  std::vector<PointerCursor> cursors_;  ///< a field; there may be more than the type has
  std::vector<EdgeList> edges_;         ///< a field, of this vertex
};

}  // namespace ipusim::checker
