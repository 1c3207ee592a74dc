// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/lower/messages.h"

#include <gmock/gmock.h>

#include "sim/compile/lower/join_messages.h"

namespace ipusim::compiler {

using testing::ElementsAre;

namespace {

Message unicast(std::uint32_t from, std::uint32_t to, std::uint64_t offset,
                std::uint64_t destination) {
  Message message{BlockId{from}, BlockId{to}};
  message.begin = {Bytes(offset), Bytes(destination)};
  return message;
}

Messages withOneForm() {
  Messages messages;
  messages.addForm({Bytes(8)});
  return messages;
}

std::vector<std::uint32_t> sendersOf(const Messages& messages) {
  std::vector<std::uint32_t> senders;
  messages.forEach(
      [&](const Message& message) { senders.push_back(static_cast<std::uint32_t>(message.from)); });
  return senders;
}

std::vector<std::uint32_t> receiversOf(const Messages& messages, const Message& message) {
  std::vector<std::uint32_t> receivers;
  messages.forEachDestination(message, [&](const Destination& destination) {
    receivers.push_back(static_cast<std::uint32_t>(destination.block));
  });
  return receivers;
}

}  // namespace

TEST(MessageForm, CountsTheBytesOfItsWalk) {
  MessageForm form{Bytes(8)};
  EXPECT_EQ(form.bytes(), Bytes(8));
  form.levels.push_back({3, {Bytes(16), Bytes(8)}});
  form.levels.push_back({5, {Bytes(0), Bytes(24)}});
  EXPECT_EQ(form.units(), 15U);
  EXPECT_EQ(form.bytes(), Bytes(120));
}

TEST(Messages, AConstantDistanceApartAreOneRun) {
  Messages messages = withOneForm();
  for (std::uint32_t m = 0; m < 4; ++m) messages.add(unicast(10 + 2 * m, 9 - m, 64 - 8 * m, 3 * m));
  ASSERT_EQ(messages.runs().size(), 1U);
  EXPECT_EQ(messages.size(), 4U);
  EXPECT_THAT(sendersOf(messages), ElementsAre(10, 12, 14, 16));
  const Message last = messages.runs().front().at(3);
  EXPECT_EQ(last.to, BlockId{6});
  EXPECT_EQ(last.begin, (BlockOffsets{Bytes(40), Bytes(9)}));
}

TEST(Messages, AnotherDistanceOrFormBeginsAnotherRun) {
  Messages messages = withOneForm();
  messages.addForm({Bytes(4)});
  messages.add(unicast(0, 5, 0, 0));
  messages.add(unicast(1, 6, 0, 0));
  messages.add(unicast(2, 7, 8, 0));
  Message other = unicast(3, 8, 16, 0);
  other.form = 1;
  messages.add(other);
  EXPECT_EQ(messages.runs().size(), 3U);
  EXPECT_THAT(sendersOf(messages), ElementsAre(0, 1, 2, 3));
}

TEST(Messages, FarApartBeginAnotherRun) {
  constexpr std::uint64_t kFar = std::uint64_t{1} << 40U;
  for (const Message& far : {unicast(1U << 20U, 0, 0, 0), unicast(0, 1U << 20U, 0, 0),
                             unicast(0, 0, kFar, 0), unicast(0, 0, 0, kFar)}) {
    Messages messages = withOneForm();
    messages.add(unicast(0, 0, 0, 0));
    messages.add(far);
    ASSERT_EQ(messages.runs().size(), 2U);
    const Message last = messages.takeLast();
    EXPECT_EQ(last.from, far.from);
    EXPECT_EQ(last.to, far.to);
    EXPECT_EQ(last.begin, far.begin);
    messages.add(unicast(1, 0, 0, 0));  // distances that were too long must not stay
    messages.add(unicast(2, 0, 0, 0));
    EXPECT_EQ(messages.runs().size(), 1U);
    EXPECT_EQ(messages.takeLast().from, BlockId{2});
    EXPECT_EQ(messages.takeLast().begin, (BlockOffsets{Bytes(0), Bytes(0)}));
  }
}

TEST(Messages, ToSeveralReceiversStayApart) {
  Messages messages = withOneForm();
  Message message{BlockId{0}};
  message.list = messages.addList({{BlockId{1}, Bytes(4)}, {BlockId{2}, Bytes(12)}});
  message.begin.to = Bytes(8);
  messages.add(message);
  messages.add(message);
  EXPECT_EQ(messages.runs().size(), 2U);
  EXPECT_EQ(messages.receiversOf(message), 2U);
  EXPECT_EQ(messages.destinationOf(message, 1).block, BlockId{2});
  EXPECT_EQ(messages.destinationOf(message, 1).offset, Bytes(20));
}

TEST(Messages, AreTakenFromTheEnd) {
  Messages messages = withOneForm();
  for (std::uint32_t m = 0; m < 3; ++m) messages.add(unicast(m, 9, 0, 0));
  EXPECT_EQ(messages.takeLast().from, BlockId{2});
  messages.add(unicast(7, 9, 0, 0));
  EXPECT_THAT(sendersOf(messages), ElementsAre(0, 1, 7));
  for (int m = 0; m < 3; ++m) messages.takeLast();
  EXPECT_TRUE(messages.empty());
}

TEST(JoinedMessages, TakeThePlaceOfTheFirstAndKeepTheReceiversInOrder) {
  Messages messages = withOneForm();
  messages.add(unicast(0, 5, 0, 0));
  messages.add(unicast(1, 5, 8, 16));
  messages.add(unicast(0, 7, 0, 24));
  messages.add(unicast(0, 6, 8, 0));
  messages.add(unicast(0, 3, 0, 32));
  joinEqual(messages, {});
  EXPECT_THAT(sendersOf(messages), ElementsAre(0, 1, 0));
  const Message joined = messages.runs().front().front();
  EXPECT_THAT(receiversOf(messages, joined), ElementsAre(5, 7, 3));
  EXPECT_EQ(messages.destinationOf(joined, 2).offset, Bytes(32));
}

TEST(JoinedMessages, OfOtherFormsOrPlacesAreNotJoined) {
  Messages messages = withOneForm();
  messages.addForm({Bytes(4)});
  for (std::uint32_t m = 0; m < 500; ++m) {
    Message message = unicast(m % 50, m, m / 100 * 8, 0);
    message.form = m / 50 % 2;
    messages.add(message);
  }
  joinEqual(messages, {});
  EXPECT_EQ(messages.size(), 500U);
}

TEST(SharedMessages, GetTheReceiversOfTheirList) {
  Messages messages = withOneForm();
  messages.add(unicast(0, 5, 0, 8));
  messages.add(unicast(1, 5, 0, 0));
  messages.add(unicast(1, 6, 0, 0));
  messages.add(unicast(2, 5, 0, 16));
  const std::uint32_t list = messages.addList({{BlockId{5}, Bytes(0)}, {BlockId{7}, Bytes(64)}});
  EXPECT_TRUE(joinEqual(messages, {{3, list, Bytes(16)}, {0, list, Bytes(8)}}));
  EXPECT_THAT(sendersOf(messages), ElementsAre(0, 1, 2));
  const Message first = messages.runs().front().front();
  const Message last = messages.runs().back().front();
  EXPECT_THAT(receiversOf(messages, first), ElementsAre(5, 7));
  EXPECT_THAT(receiversOf(messages, last), ElementsAre(5, 7));
  EXPECT_EQ(messages.destinationOf(first, 1).offset, Bytes(72));
  EXPECT_EQ(messages.destinationOf(last, 1).offset, Bytes(80));
}

TEST(SharedMessages, ThatAnotherMessageSendsTooStayAsTheyAre) {
  Messages messages = withOneForm();
  messages.add(unicast(0, 5, 0, 8));
  messages.add(unicast(0, 6, 0, 0));
  const std::uint32_t list = messages.addList({{BlockId{5}, Bytes(0)}, {BlockId{7}, Bytes(64)}});
  EXPECT_FALSE(joinEqual(messages, {{0, list, Bytes(8)}}));
  EXPECT_THAT(sendersOf(messages), ElementsAre(0, 0));
  EXPECT_THAT(receiversOf(messages, messages.runs().front().front()), ElementsAre(5));
}

}  // namespace ipusim::compiler
