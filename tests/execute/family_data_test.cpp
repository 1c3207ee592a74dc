// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/family_data.h"

#include <gmock/gmock.h>

#include <memory>

#include "ipusim/error.h"
#include "tests/support/test_vertices.h"
#include "tests/support/toy_machine.h"

namespace ipusim::executor {

using compiler::BoundFamily;
using compiler::BoundField;
using compiler::Executable;
using testing::ElementsAre;
using workloads::weightedSumVertex;

namespace {

struct FamilyLevel {
  std::uint64_t count;
  std::uint64_t stride;
};

/// Pointers that start at `offset` of block `block`.
compiler::EdgePattern pattern(std::uint32_t block, std::uint64_t offset,
                              const std::vector<FamilyLevel>& levels) {
  compiler::EdgePattern pattern{BlockId{block}, {Bytes(offset)}};
  for (const FamilyLevel& level : levels) {
    pattern.walk.levels.push_back({level.count, Bytes(level.stride)});
  }
  return pattern;
}

/// Blocks of 64 and of 16 bytes on tile 0.
class Pointers : public testing::Test {
 protected:
  Pointers() {
    executable_.system.ipu = models::toyMachine();
    executable_.memory.tiles.resize(executable_.system.tiles());
    executable_.memory.tiles[0].highest_address = Bytes(128);
    executable_.lowered.blocks = {{TileId(0), VariableId{0}, Bytes(64), MemoryCategory::Variables},
                                  {TileId(0), VariableId{1}, Bytes(16), MemoryCategory::Variables}};
    executable_.lowered.blocks[1].address = Bytes(96);
    memories_ = std::make_unique<TileMemories>(executable_);
  }

  /// The addresses of the next `count` pointers.
  std::vector<std::ptrdiff_t> addresses(PointerCursor& cursor, std::uint64_t count,
                                        std::uint64_t bytes) {
    EdgeList edges;
    const std::string type = "type";
    const std::string field = "field";
    cursor.take(count, Bytes(bytes), {type, field}, edges);
    std::vector<std::ptrdiff_t> result;
    for (const std::byte* pointer : edges.pointers) {
      result.push_back(pointer - memories_->at(executable_.lowered.blocks[0]));
    }
    return result;
  }
  PointerCursor cursor(const BoundField& field) {
    PointerCursor cursor(executable_.lowered.blocks, *memories_);
    cursor.enter(field);
    return cursor;
  }

  Executable executable_;
  std::unique_ptr<TileMemories> memories_;
};

TEST_F(Pointers, FollowThePatternOutermostLevelFirst) {
  const BoundField field{{pattern(0, 4, {{2, 32}, {3, 8}})}};
  PointerCursor all = cursor(field);
  EXPECT_THAT(addresses(all, 6, 4), ElementsAre(4, 12, 20, 36, 44, 52));
  EXPECT_TRUE(all.isAtEnd());
}

TEST_F(Pointers, GoOnWhereTheVertexBeforeStopped) {
  const BoundField field{{pattern(0, 4, {{2, 32}, {3, 8}})}};
  PointerCursor all = cursor(field);
  EXPECT_THAT(addresses(all, 2, 4), ElementsAre(4, 12));
  EXPECT_THAT(addresses(all, 2, 4), ElementsAre(20, 36));
  EXPECT_FALSE(all.isAtEnd());
  EXPECT_THAT(addresses(all, 2, 4), ElementsAre(44, 52));
}

TEST_F(Pointers, GoOnFromPatternToPattern) {
  const BoundField field{{pattern(0, 8, {}), pattern(1, 0, {{2, 8}}), pattern(0, 0, {{2, 0}})}};
  PointerCursor all = cursor(field);
  EXPECT_THAT(addresses(all, 5, 4), ElementsAre(8, 96, 104, 0, 0));
  EXPECT_TRUE(all.isAtEnd());
}

TEST_F(Pointers, StayInTheirBlock) {
  const BoundField field{{pattern(1, 0, {{3, 4}})}};
  PointerCursor fits = cursor(field);
  EXPECT_NO_THROW(addresses(fits, 3, 8));
  PointerCursor leaves = cursor(field);
  EXPECT_THROW(addresses(leaves, 3, 9), InternalError);
}

TEST_F(Pointers, OfAFieldMustBeEnough) {
  const BoundField field{{pattern(1, 0, {{3, 4}})}};
  PointerCursor all = cursor(field);
  EXPECT_THROW(addresses(all, 4, 4), InternalError);
}

TEST_F(Pointers, OfAFamilyMustNotBeMoreThanItsEdges) {
  const auto type = shared(weightedSumVertex(EdgeGroups{{1, 2}}));
  const BoundFamily family{
      type, TileId(0), 1, false, {{{pattern(0, 0, {{2, 8}})}}, {{pattern(1, 0, {})}}}};
  FamilyData data(executable_.lowered.blocks, *memories_);
  data.enter(family);
  data.next();
  EXPECT_THROW(data.checkAtEnd(), InternalError);
}

TEST_F(Pointers, OfAVertexAreAskedForByFieldAndEdge) {
  const auto type = shared(weightedSumVertex(EdgeGroups{{2, 1}}));
  const BoundFamily family{
      type, TileId(0), 1, false, {{{pattern(0, 0, {{2, 8}})}}, {{pattern(1, 12, {})}}}};
  FamilyData data(executable_.lowered.blocks, *memories_);
  data.enter(family);
  data.next();
  EXPECT_NO_THROW(data.checkAtEnd());
  EXPECT_EQ(data.edge(0, 1), memories_->at(executable_.lowered.blocks[0]) + 8);
  EXPECT_EQ(data.edge(1, 0), memories_->at(executable_.lowered.blocks[1]) + 12);
  EXPECT_THROW(static_cast<void>(data.edge(1, 1)), InternalError);
  EXPECT_THROW(static_cast<void>(data.edge(2, 0)), InternalError);
}

}  // namespace

}  // namespace ipusim::executor
