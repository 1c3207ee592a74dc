// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/schedule/exchange_numbers.h"

#include <boost/container_hash/hash.hpp>

namespace ipusim::compiler {

namespace {

/// Gives one message after the other.
class MessageReader {
 public:
  explicit MessageReader(const Messages& messages) : run_(messages.runs().data()) {}

  Message next() {
    if (number_ == run_->count()) {
      ++run_;
      number_ = 0;
    }
    return run_->at(number_++);
  }

 private:
  const MessageRun* run_;
  std::uint32_t number_ = 0;
};

}  // namespace

std::uint32_t ExchangeNumbers::of(StepId step) {
  const Step& exchange = lowered_.steps[indexOf(step)];
  const auto next = static_cast<std::uint32_t>(first_.size());
  const std::uint32_t number = index_.findOrAdd(hashOf(exchange), next, [&](std::uint32_t other) {
    return areAlike(lowered_.steps[indexOf(first_[other])], exchange);
  });
  if (number == next) first_.push_back(step);
  return number;
}

/// Only some messages count, because a hash must not take longer than a comparison.
std::size_t ExchangeNumbers::hashOf(const Step& step) const {
  constexpr std::uint64_t kMostHashed = 256;
  const Messages& messages = step.messages;
  const std::uint64_t each = ceilDiv(messages.size(), kMostHashed);
  std::size_t hash = messages.size();
  std::uint64_t begin = 0;   // number of the first message of the run
  std::uint64_t number = 0;  // number of the next message that counts
  for (const MessageRun& run : messages.runs()) {
    for (; number < begin + run.count(); number += each) {
      const Message message = run.at(static_cast<std::uint32_t>(number - begin));
      boost::hash_combine(hash, tileOf(message.from).tile());
      boost::hash_combine(hash, messages.formOf(message).unit.value());
      boost::hash_combine(hash, messages.receiversOf(message));
      boost::hash_combine(hash, tileOf(messages.destinationOf(message, 0).block).tile());
    }
    begin += run.count();
  }
  return hash;
}

bool ExchangeNumbers::areAlike(const Step& a, const Step& b) const {
  if (a.messages.size() != b.messages.size()) return false;
  MessageReader of_b(b.messages);
  for (const MessageRun& run : a.messages.runs()) {
    for (std::uint32_t number = 0; number < run.count(); ++number) {
      if (!areAlike(a.messages, run.at(number), b.messages, of_b.next())) return false;
    }
  }
  return true;
}

bool ExchangeNumbers::areAlike(const Messages& of_a, const Message& a, const Messages& of_b,
                               const Message& b) const {
  const std::uint32_t receivers = of_a.receiversOf(a);
  if (tileOf(a.from) != tileOf(b.from) || receivers != of_b.receiversOf(b) ||
      !(of_a.formOf(a) == of_b.formOf(b))) {
    return false;
  }
  for (std::uint32_t r = 0; r < receivers; ++r) {
    if (tileOf(of_a.destinationOf(a, r).block) != tileOf(of_b.destinationOf(b, r).block))
      return false;
  }
  return true;
}

}  // namespace ipusim::compiler
