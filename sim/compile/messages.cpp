// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/messages.h"

#include <utility>

namespace ipusim::compiler {

namespace {

constexpr std::uint64_t kBytesPerWord = 4;

std::uint32_t distance(BlockId from, BlockId to) {
  return static_cast<std::uint32_t>(to) - static_cast<std::uint32_t>(from);
}

bool isAt(const Message& a, const Message& b) {
  return a.from == b.from && a.to == b.to && a.begin == b.begin;
}

/// Adds the message to the run where it is the next message of the run.
bool extend(MessageRun& run, const Message& message) {
  const Message& first = run.first;
  const bool one_each = first.list == Message::kNoList && message.list == Message::kNoList;
  if (!one_each || first.form != message.form || run.count == ~std::uint32_t{0}) return false;
  if (run.count == 1) {
    run.from_step = distance(first.from, message.from);
    run.to_step = distance(first.to, message.to);
    run.begin_from_step = message.begin.from.value() - first.begin.from.value();
    run.begin_to_step = message.begin.to.value() - first.begin.to.value();
  } else if (!isAt(run.at(run.count), message)) {
    return false;
  }
  ++run.count;
  return true;
}

}  // namespace

std::uint64_t MessageForm::units() const {
  std::uint64_t units = 1;
  for (const auto& level : levels) units *= level.count;
  return units;
}

std::uint64_t MessageForm::words() const {
  return ceilDiv(unit.value(), kBytesPerWord) * units();
}

std::uint32_t Messages::addForm(MessageForm form) {
  forms_.push_back(std::move(form));
  return static_cast<std::uint32_t>(forms_.size() - 1);
}

std::uint32_t Messages::addList(const Landings& landings) {
  landings_.insert(landings_.end(), landings.begin(), landings.end());
  list_end_.push_back(static_cast<std::uint32_t>(landings_.size()));
  return static_cast<std::uint32_t>(list_end_.size() - 1);
}

void Messages::add(const Message& message) {
  ++size_;
  if (runs_.empty() || !extend(runs_.back(), message)) runs_.push_back({message});
}

Message Messages::takeLast() {
  MessageRun& run = runs_.back();
  const Message last = run.at(--run.count);
  if (run.count == 0) runs_.pop_back();
  --size_;
  return last;
}

std::vector<MessageRun> Messages::takeAll() {
  size_ = 0;
  return std::exchange(runs_, {});
}

void Messages::shrink() {
  runs_.shrink_to_fit();
  forms_.shrink_to_fit();
  landings_.shrink_to_fit();
  list_end_.shrink_to_fit();
}

}  // namespace ipusim::compiler
