// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/lower/join_messages.h"

#include <algorithm>
#include <utility>

#include "sim/compile/lower/radix_sort.h"
#include "sim/compile/lower/repeats.h"

namespace ipusim::compiler {

namespace {

/// A hash of what a message sends.
std::uint64_t hashOf(const Message& message) {
  constexpr std::uint64_t kGoldenRatio = 0x9E3779B97F4A7C15U;
  constexpr unsigned kUpperHalf = 32;
  std::uint64_t hash = static_cast<std::uint64_t>(message.from) << kUpperHalf | message.form;
  hash = (hash * kGoldenRatio ^ message.begin.from.value()) * kGoldenRatio;
  return hash ^ hash >> kUpperHalf;
}

bool sendTheSame(const Message& a, const Message& b) {
  return a.from == b.from && a.form == b.form && a.begin.from == b.begin.from;
}

/// A message that may send what another one sends.
struct Candidate {
  std::uint64_t number;  ///< of the message
  Message message;
};

std::vector<Candidate> candidatesOf(const Messages& messages) {
  Repeats repeats(messages.size());
  messages.forEach([&](const Message& message) { repeats.add(hashOf(message)); });
  std::vector<Candidate> candidates;
  if (!repeats.any()) return candidates;
  std::uint64_t number = 0;
  messages.forEach([&](const Message& message) {
    if (repeats.mayRepeat(hashOf(message))) candidates.push_back({number, message});
    ++number;
  });
  return candidates;
}

/// What becomes of the messages that send equal data.
class Joining {
 public:
  /// `shared` must be sorted by number.
  Joining(Messages& messages, const std::vector<SharedMessage>& shared)
      : messages_(messages), shared_(shared), candidates_(candidatesOf(messages)) {}

  /// Finds the messages to join, and adds the lists of their receivers.
  void find() {
    std::vector<Keyed> by_hash;
    by_hash.reserve(candidates_.size());
    // Half of a hash tells data apart as well, and is sorted in half the time.
    for (std::uint32_t c = 0; c < candidates_.size(); ++c) {
      by_hash.push_back({hashOf(candidates_[c].message) & ~std::uint32_t{0}, c});
    }
    radixSort(by_hash);
    for (auto first = by_hash.begin(); first != by_hash.end();) {
      const auto last = std::find_if(first, by_hash.end(),
                                     [&](const Keyed& entry) { return entry.key != first->key; });
      if (last - first > 1) findAmong(&*first, &*first + (last - first));
      first = last;
    }
    radixSort(list_of_);
  }

  /// True where a shared message sends what another message sends.
  [[nodiscard]] bool meetsShared() const {
    auto next = list_of_.begin();
    return std::any_of(shared_.begin(), shared_.end(), [&](const SharedMessage& shared) {
      while (next != list_of_.end() && next->key < shared.number) ++next;
      return next != list_of_.end() && next->key == shared.number;
    });
  }

  /// The messages after the joining. No shared message may meet another.
  void join() {
    if (list_of_.empty() && shared_.empty()) return;
    auto next = list_of_.begin();
    auto next_shared = shared_.begin();
    std::uint64_t number = 0;
    const auto add = [&](Message message) {
      const bool joins = next != list_of_.end() && next->key == number;
      const bool is_shared = next_shared != shared_.end() && next_shared->number == number;
      ++number;
      if (is_shared) {
        message.to = kNoBlock;
        message.list = next_shared->list;
        message.begin.to = next_shared->begin;
        ++next_shared;
      } else if (joins) {
        message.to = kNoBlock;
        message.list = (next++)->number;
        message.begin.to = Bytes(0);
        if (message.list == Message::kNoList) return;
      }
      messages_.add(message);
    };
    for (const MessageRun& run : messages_.takeAll()) run.forEach(add);
  }

 private:
  /// Looks for equal data among messages of one hash. They are in the order of their numbers.
  void findAmong(const Keyed* first, const Keyed* last) {
    std::vector<bool> done(static_cast<std::size_t>(last - first));
    for (std::size_t i = 0; i < done.size(); ++i) {
      if (done[i]) continue;
      const Candidate& one = candidates_[first[i].number];
      receivers_ = {{one.message.to, one.message.begin.to}};
      for (std::size_t j = i + 1; j < done.size(); ++j) {
        const Candidate& other = candidates_[first[j].number];
        if (done[j] || !sendTheSame(one.message, other.message)) continue;
        done[j] = true;
        receivers_.push_back({other.message.to, other.message.begin.to});
        list_of_.push_back({other.number, Message::kNoList});
      }
      if (receivers_.size() > 1) list_of_.push_back({one.number, messages_.addList(receivers_)});
    }
  }

  Messages& messages_;
  const std::vector<SharedMessage>& shared_;
  std::vector<Candidate> candidates_;
  Destinations receivers_;  ///< of the data that is looked at
  /// The numbers of the messages to join, each with its list. A message that another one takes in
  /// has no list.
  std::vector<Keyed> list_of_;
};

}  // namespace

bool joinEqual(Messages& messages, std::vector<SharedMessage> shared) {
  std::sort(shared.begin(), shared.end(),
            [](const SharedMessage& a, const SharedMessage& b) { return a.number < b.number; });
  Joining joining(messages, shared);
  joining.find();
  if (joining.meetsShared()) return false;
  joining.join();
  return true;
}

}  // namespace ipusim::compiler
