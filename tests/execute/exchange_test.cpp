// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/exchange.h"

#include <gmock/gmock.h>

#include <memory>

#include "ipusim/error.h"
#include "tests/support/toy_machine.h"

namespace ipusim::executor {

using compiler::Block;
using compiler::Executable;
using compiler::Step;
using testing::ElementsAre;

namespace {

struct LevelOfBytes {
  std::uint64_t count;
  std::uint64_t from;
  std::uint64_t to;
};

/// Block t is 8 bytes at address 16 of tile t, with the bytes 10t, 10t + 1, …
class Exchange : public testing::Test {
 protected:
  Exchange() {
    executable_.system.ipu = models::toyMachine();
    executable_.memory.tiles.resize(executable_.system.tiles());
    for (std::uint32_t t = 0; t < executable_.system.tiles(); ++t) {
      executable_.memory.tiles[t].highest_address = Bytes(24);
      Block block{TileId(t), VariableId{t}, Bytes(8), MemoryCategory::Variables};
      block.address = Bytes(16);
      executable_.lowered.blocks.push_back(block);
    }
    memories_ = std::make_unique<TileMemories>(executable_);
    for (const Block& block : executable_.lowered.blocks) {
      for (unsigned i = 0; i < 8; ++i)
        memories_->at(block)[i] = std::byte(10 * block.tile.tile() + i);
    }
  }

  /// The bytes that leave block `block` at `offset`.
  struct Sent {
    std::uint32_t block;
    std::uint64_t offset;
    std::uint64_t unit;
    std::vector<LevelOfBytes> levels;
    std::uint64_t to_offset;
  };
  struct Landed {
    std::uint32_t block;
    std::uint64_t offset;
  };
  void send(const Sent& sent, const std::vector<Landed>& landed) {
    compiler::MessageForm form{Bytes(sent.unit)};
    for (const LevelOfBytes& level : sent.levels) {
      form.levels.push_back({level.count, {Bytes(level.from), Bytes(level.to)}});
    }
    compiler::Message message{BlockId{sent.block}};
    message.list = receiverList(landed);
    message.form = step_.messages.addForm(form);
    message.begin = {Bytes(sent.offset), Bytes(sent.to_offset)};
    step_.messages.add(message);
  }
  void verify() { verifyExchange(step_, executable_.lowered.blocks); }
  std::vector<int> bytesAfter(std::uint32_t tile) {
    verify();
    const compiler::Messages& messages = step_.messages;
    messages.forEach([&](const compiler::Message& message) {
      messages.forEachDestination(message, [&](const compiler::Destination& destination) {
        moveMessage({messages.formOf(message), message.from, message.begin.from, destination},
                    executable_.lowered.blocks, *memories_);
      });
    });
    std::vector<int> bytes;
    const std::byte* first = memories_->at(executable_.lowered.blocks[tile]);
    for (unsigned i = 0; i < 8; ++i) bytes.push_back(std::to_integer<int>(first[i]));
    return bytes;
  }

  std::uint32_t receiverList(const std::vector<Landed>& landed) {
    compiler::Destinations destinations;
    for (const Landed& one : landed)
      destinations.push_back({BlockId{one.block}, Bytes(one.offset)});
    return step_.messages.addList(destinations);
  }

  Executable executable_;
  std::unique_ptr<TileMemories> memories_;
  Step step_{"exchange", StepKind::Exchange, {}, {}};
};

TEST_F(Exchange, MovesConsecutiveBytes) {
  send({0, 2, 4, {}, 0}, {{1, 3}});
  EXPECT_THAT(bytesAfter(1), ElementsAre(10, 11, 12, 2, 3, 4, 5, 17));
}

TEST_F(Exchange, AddsTheMessagesOffsetToTheDestinations) {
  send({0, 0, 2, {}, 1}, {{1, 1}});
  EXPECT_THAT(bytesAfter(1), ElementsAre(10, 11, 0, 1, 14, 15, 16, 17));
}

TEST_F(Exchange, LandsOnEveryReceiver) {
  send({0, 0, 2, {}, 0}, {{2, 0}, {3, 6}});
  EXPECT_THAT(bytesAfter(2), ElementsAre(0, 1, 22, 23, 24, 25, 26, 27));
  EXPECT_THAT(bytesAfter(3), ElementsAre(30, 31, 32, 33, 34, 35, 0, 1));
}

TEST_F(Exchange, WalksBothEndsOutermostLevelFirst) {
  send({0, 0, 1, {{2, 4, 1}, {3, 1, 2}}, 0}, {{1, 0}});
  EXPECT_THAT(bytesAfter(1), ElementsAre(0, 4, 1, 5, 2, 6, 16, 17));
}

TEST_F(Exchange, MovesUnitsOfEverySize) {
  for (const std::uint64_t unit : {1U, 2U, 3U, 4U, 8U}) {
    step_.messages = {};
    memories_->begin(BlockId{1}, executable_.lowered.blocks[1]);
    send({3, 0, unit, {}, 0}, {{1, 0}});
    const std::vector<int> bytes = bytesAfter(1);
    for (std::uint64_t i = 0; i < 8; ++i) {
      EXPECT_EQ(bytes[i], i < unit ? 30 + static_cast<int>(i) : 255) << unit;
    }
  }
}

TEST_F(Exchange, MayMoveApartPiecesOfOneBlock) {
  send({0, 0, 4, {}, 0}, {{0, 4}});
  EXPECT_THAT(bytesAfter(0), ElementsAre(0, 1, 2, 3, 0, 1, 2, 3));
}

TEST_F(Exchange, RejectsADestinationOnWhatAnotherMessageSends) {
  send({0, 0, 4, {}, 0}, {{1, 4}});
  send({1, 6, 2, {}, 0}, {{2, 0}});
  EXPECT_THROW(verify(), InternalError);
}

TEST_F(Exchange, RejectsADestinationBetweenTheUnitsOnlyWhereTheyMeet) {
  send({1, 0, 1, {{4, 2, 1}}, 0}, {{2, 0}});
  send({0, 0, 1, {{4, 1, 2}}, 1}, {{1, 0}});
  EXPECT_NO_THROW(verify());
  send({0, 0, 1, {}, 1}, {{1, 1}});
  EXPECT_THROW(verify(), InternalError);
}

TEST_F(Exchange, RejectsMessagesThatLeaveTheirBlocks) {
  send({0, 0, 8, {}, 0}, {{1, 0}});
  EXPECT_NO_THROW(verify());
  send({0, 0, 1, {{3, 4, 1}}, 0}, {{2, 0}});
  EXPECT_THROW(verify(), InternalError);
  step_.messages.takeLast();
  send({0, 0, 4, {}, 2}, {{2, 3}});
  EXPECT_THROW(verify(), InternalError);
}

}  // namespace

}  // namespace ipusim::executor
