// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/execute/tile_memories.h"

namespace ipusim::executor {

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
  std::vector<BlockPlace> places;  ///< filled only for memories that know the owners of bytes
};

/// Hands out the pointers of one bound field in order.
class PointerCursor {
 public:
  /// All arguments must outlive the cursor.
  PointerCursor(const std::vector<compiler::Block>& blocks, TileMemories& memories)
      : blocks_(&blocks), memories_(&memories) {}

  /// Begins with the first pointer of `field`. The field must outlive its use by the cursor.
  void enter(const compiler::BoundField& field);

  /// Appends the next `count` pointers. Throws InternalError, which names `name`, where the field
  /// has fewer pointers, or where fewer than `bytes` bytes of the block follow a pointer.
  void take(std::uint64_t count, Bytes bytes, const FieldName& name, EdgeList& edges);
  [[nodiscard]] bool isAtEnd() const { return pattern_ == field_->patterns.size(); }

 private:
  using Counts = boost::container::small_vector<std::uint64_t, 3>;

  void enterPattern();
  /// How many pointers are left on the innermost level of the pattern, and how far apart they are.
  [[nodiscard]] Level<Bytes> run() const;
  void advance(std::uint64_t steps);

  const compiler::BoundField* field_ = nullptr;
  const std::vector<compiler::Block>* blocks_;
  TileMemories* memories_;
  std::size_t pattern_ = 0;
  Counts index_;  ///< one entry per level of the pattern: steps done
  Bytes offset_;  ///< offset of the next pointer in its block
};

/// The vertices of families, one after the other, with their data in tile memory.
class FamilyData final : public VertexData {
 public:
  /// The arguments must outlive this.
  FamilyData(const std::vector<compiler::Block>& blocks, TileMemories& memories)
      : blocks_(&blocks), memories_(&memories) {}

  /// Lets all vertices of `family` compute. Throws InternalError unless they use up all pointers. A
  /// strict run also throws it where a vertex reads bytes that another block has written over.
  void compute(const compiler::BoundFamily& family);

  /// Goes from vertex to vertex of `family`, and calls `use` with the place of each. `first` is the
  /// place of the first one.
  void forEach(const compiler::BoundFamily& family, VertexPlace first,
               const std::function<void(const VertexPlace&)>& use);

  /// Goes before the first vertex of `family`.
  void enter(const compiler::BoundFamily& family);
  /// Goes on to the next vertex.
  void next();
  /// Throws InternalError unless the vertices so far have used up all pointers.
  void checkAtEnd() const;

  [[nodiscard]] std::byte* edge(std::size_t field, std::uint64_t edge) const override;

 private:
  [[nodiscard]] FieldName nameOf(std::size_t field) const;
  void computeStrictly(ByteOwners& owners) const;

  [[nodiscard]] std::size_t fields() const { return type_->fields.size(); }

  const std::vector<compiler::Block>* blocks_;
  TileMemories* memories_;
  const VertexType* type_ = nullptr;
  compiler::BoundFields::List bound_;   ///< one entry per field
  std::vector<PointerCursor> cursors_;  ///< one entry per field, and maybe spare ones
  std::vector<EdgeList> edges_;         ///< one entry per field: the edges of the current vertex
};

}  // namespace ipusim::executor
