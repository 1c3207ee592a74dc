// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/execute/tile_memories.h"

namespace ipusim::checker {

/// Hands out the pointers of one bound field in their order.
class PointerCursor {
 public:
  /// `name` is for errors. All arguments must outlive the cursor.
  PointerCursor(const compiler::BoundField& field, const std::vector<compiler::Block>& blocks,
                TileMemories& memories);

  /// Appends the next `count` pointers. Throws InternalError naming `name` where there are fewer,
  /// or where one has not got `bytes` of its block behind it.
  void take(std::uint64_t count, Bytes bytes, const std::string& name,
            std::vector<std::byte*>& pointers);
  [[nodiscard]] bool isAtEnd() const { return pattern_ == field_.patterns.size(); }

 private:
  using Counts = boost::container::small_vector<std::uint64_t, 3>;

  void enterPattern();
  /// Pointers left on the innermost level of the pattern, and their distance.
  [[nodiscard]] Level<Bytes> run() const;
  void advance(std::uint64_t steps);

  const compiler::BoundField& field_;
  const std::vector<compiler::Block>& blocks_;
  TileMemories& memories_;
  std::size_t pattern_ = 0;
  Counts index_;  ///< a level of the pattern: steps done
  Bytes offset_;  ///< of the next pointer in its block
};

/// The vertices of a family, one after the other, with their data in tile memory.
class FamilyData final : public VertexData {
 public:
  /// The arguments must outlive this. Before the first vertex.
  FamilyData(const compiler::BoundFamily& family, const std::vector<compiler::Block>& blocks,
             TileMemories& memories);

  /// Goes on to the next vertex.
  void next();
  /// Throws InternalError unless the vertices gone through had all pointers there are.
  void checkAtEnd() const;

  [[nodiscard]] std::byte* edge(std::size_t field, std::uint64_t edge) const override;

 private:
  struct FieldPointers {
    PointerCursor cursor;
    std::string name;  ///< of the vertex type and the field
    std::vector<std::byte*> edges;
  };

  const std::vector<Field>& fields_;
  std::vector<FieldPointers> pointers_;
};

}  // namespace ipusim::checker
