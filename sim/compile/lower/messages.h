// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ipusim/ids.h"
#include "ipusim/section.h"
#include "ipusim/units.h"

// What one exchange moves. Most exchanges are regular: they have a few forms of messages, and long
// runs of messages whose ends are a constant distance apart. A form and a run are kept once.

namespace ipusim::compiler {

constexpr BlockId kNoBlock{~std::uint32_t{0}};

/// A place in one block and a place in another.
using BlockOffsets = Ends<Bytes, Bytes>;

/// What a message walks, wherever it begins. The stream follows the walk. The bytes of a `unit` are
/// consecutive at both ends.
struct MessageForm {
  Bytes unit;
  Walk<BlockOffsets, 1>::Levels levels = {};

  [[nodiscard]] std::uint64_t units() const;
  [[nodiscard]] Bytes bytes() const { return unit * units(); }
  /// Words of 4 bytes that travel. Each unit starts on a new word.
  [[nodiscard]] std::uint64_t words() const;

  friend bool operator==(const MessageForm& a, const MessageForm& b) {
    return a.unit == b.unit && a.levels == b.levels;
  }
};

/// Where a message lands: `offset` into a block.
struct Destination {
  BlockId block;
  Bytes offset;
};

/// Most messages have one receiver.
using Destinations = boost::container::small_vector<Destination, 1>;

/// Equal data that one tile sends to one or more other tiles. Exactly one of `to` and `list` is
/// used.
struct Message {
  static constexpr std::uint32_t kNoList = ~std::uint32_t{0};

  BlockId from;
  BlockId to = kNoBlock;         ///< the block of the only receiver
  std::uint32_t list = kNoList;  ///< number of the list of receivers
  std::uint32_t form = 0;        ///< number of the form
  /// The first byte of `from` at one end. At the other end the first byte of `to`, or what is added
  /// to the offsets of the list.
  BlockOffsets begin = {};
};

/// One or more messages of one form. The two ends of each are a constant distance behind those of
/// the message before. Graphs have many millions of runs, so a run keeps short distances only. A
/// message that is farther away begins another run.
class MessageRun {
 public:
  explicit MessageRun(const Message& only);

  [[nodiscard]] std::uint32_t count() const { return count_; }
  /// The `number`-th message.
  [[nodiscard]] Message at(std::uint32_t number) const;
  [[nodiscard]] Message front() const { return at(0); }
  [[nodiscard]] Message back() const { return at(count_ - 1); }
  /// Calls `visit` with every message.
  template <typename Visit>
  void forEach(const Visit& visit) const {
    for (std::uint32_t number = 0; number < count_; ++number) visit(at(number));
  }

  /// Adds the message behind the others. Returns false, and does nothing, where it is not the next
  /// message of the run.
  bool extend(const Message& message);
  /// Takes the last of several messages away.
  void dropLast() { --count_; }

 private:
  using Distance = std::int16_t;
  static constexpr std::uint32_t kMaxCount = ~std::uint32_t{0} >> 1U;

  bool setDistances(const Message& next);

  BlockId from_;
  std::uint32_t to_;  ///< number of the block, or of the list of receivers
  std::uint32_t form_;
  std::uint32_t count_ : 31;
  std::uint32_t has_list_ : 1;
  BlockOffsets begin_;
  Distance from_distance_ = 0;
  Distance to_distance_ = 0;
  Distance begin_from_distance_ = 0;  ///< in bytes
  Distance begin_to_distance_ = 0;    ///< in bytes
};

/// The messages of one exchange, in order.
class Messages {
 public:
  std::uint32_t addForm(MessageForm form);
  std::uint32_t addList(const Destinations& destinations);
  /// Adds a message behind the others. Its form and its list must have been added.
  void add(const Message& message);
  /// Takes the last message away.
  Message takeLast();

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] const std::vector<MessageRun>& runs() const { return runs_; }
  [[nodiscard]] const std::vector<MessageForm>& forms() const { return forms_; }
  [[nodiscard]] const MessageForm& formOf(const Message& message) const {
    return forms_[message.form];
  }
  /// Calls `visit` with every message.
  template <typename Visit>
  void forEach(const Visit& visit) const;

  [[nodiscard]] std::uint32_t receiversOf(const Message& message) const;
  /// Where the message begins to land at its `receiver`-th receiver.
  [[nodiscard]] Destination destinationOf(const Message& message, std::uint32_t receiver) const;
  /// Calls `visit` with all destinations of the message.
  template <typename Visit>
  void forEachDestination(const Message& message, const Visit& visit) const;

  /// Takes all messages away. The forms and the lists stay.
  std::vector<MessageRun> takeAll();
  /// Gives back the memory that is kept for more messages.
  void shrink();

 private:
  std::uint64_t size_ = 0;
  std::vector<MessageRun> runs_;
  std::vector<MessageForm> forms_;
  std::vector<Destination> destinations_;  ///< list by list
  std::vector<std::uint32_t> list_end_;    ///< one entry per list: where its destinations end
};

inline Message MessageRun::at(std::uint32_t number) const {
  // A sum of unsigned numbers wraps, and so takes away a distance that is negative.
  const auto moved = [number](auto place, Distance distance) {
    return place + static_cast<decltype(place)>(distance) * number;
  };
  Message message;
  message.form = form_;
  message.from = BlockId{moved(static_cast<std::uint32_t>(from_), from_distance_)};
  if (has_list_ != 0) {
    message.list = to_;
  } else {
    message.to = BlockId{moved(to_, to_distance_)};
  }
  message.begin = {Bytes(moved(begin_.from.value(), begin_from_distance_)),
                   Bytes(moved(begin_.to.value(), begin_to_distance_))};
  return message;
}

template <typename Visit>
void Messages::forEach(const Visit& visit) const {
  for (const MessageRun& run : runs_) run.forEach(visit);
}

template <typename Visit>
void Messages::forEachDestination(const Message& message, const Visit& visit) const {
  const std::uint32_t receivers = receiversOf(message);
  for (std::uint32_t r = 0; r < receivers; ++r) visit(destinationOf(message, r));
}

inline std::uint32_t Messages::receiversOf(const Message& message) const {
  if (message.list == Message::kNoList) return 1;
  return list_end_[message.list] - (message.list == 0 ? 0 : list_end_[message.list - 1]);
}

inline Destination Messages::destinationOf(const Message& message, std::uint32_t receiver) const {
  if (message.list == Message::kNoList) return {message.to, message.begin.to};
  const std::uint32_t first = message.list == 0 ? 0 : list_end_[message.list - 1];
  const Destination& destination = destinations_[first + receiver];
  return {destination.block, destination.offset + message.begin.to};
}

}  // namespace ipusim::compiler
