// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/exchange_numbers.h"

#include <algorithm>
#include <boost/container_hash/hash.hpp>

namespace ipusim::compiler {

std::uint32_t ExchangeNumbers::of(StepId step) {
  const Step& exchange = lowered_.steps[indexOf(step)];
  const auto next = static_cast<std::uint32_t>(first_.size());
  const std::uint32_t number = index_.findOrAdd(hashOf(exchange), next, [&](std::uint32_t other) {
    return areAlike(lowered_.steps[indexOf(first_[other])], exchange);
  });
  if (number == next) first_.push_back(step);
  return number;
}

std::size_t ExchangeNumbers::hashOf(const Step& step) const {
  std::size_t hash = step.messages.size();
  for (const Message& message : step.messages) {
    const Landings& landings = step.receiver_lists[message.receivers];
    boost::hash_combine(hash, tileOf(message.from).tile());
    boost::hash_combine(hash, message.unit.value());
    boost::hash_combine(hash, landings.size());
    boost::hash_combine(hash, tileOf(landings.front().block).tile());
  }
  return hash;
}

bool ExchangeNumbers::areAlike(const Step& a, const Step& b) const {
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  if (a.messages.size() != b.messages.size()) return false;
  std::uint32_t list_of_a = kNone;  // the lists that were compared last
  std::uint32_t list_of_b = kNone;
  for (std::size_t m = 0; m < a.messages.size(); ++m) {
    const Message& one = a.messages[m];
    const Message& other = b.messages[m];
    if (tileOf(one.from) != tileOf(other.from) || one.unit != other.unit ||
        one.walk.levels != other.walk.levels) {
      return false;
    }
    if (one.receivers == list_of_a && other.receivers == list_of_b) continue;
    list_of_a = one.receivers;
    list_of_b = other.receivers;
    if (!landAlike(a.receiver_lists[list_of_a], b.receiver_lists[list_of_b])) return false;
  }
  return true;
}

bool ExchangeNumbers::landAlike(const Landings& a, const Landings& b) const {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [this](const Landing& one, const Landing& other) {
                      return tileOf(one.block) == tileOf(other.block);
                    });
}

}  // namespace ipusim::compiler
