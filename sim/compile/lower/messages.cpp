// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/lower/messages.h"

#include <type_traits>
#include <utility>

namespace ipusim::compiler {

namespace {

constexpr std::uint64_t kBytesPerWord = 4;

/// The distance, if it is a number of that type.
template <typename Distance, typename Place>
bool setDistance(Place from, Place to, Distance& distance) {
  const auto wide = static_cast<std::make_signed_t<Place>>(to - from);
  distance = static_cast<Distance>(wide);
  return distance == wide;
}

bool isAt(const Message& a, const Message& b) {
  return a.from == b.from && a.to == b.to && a.begin == b.begin;
}

}  // namespace

MessageRun::MessageRun(const Message& only)
    : from_(only.from),
      to_(only.list == Message::kNoList ? static_cast<std::uint32_t>(only.to) : only.list),
      form_(only.form),
      count_(1),
      has_list_(only.list == Message::kNoList ? 0 : 1),
      begin_(only.begin) {}

bool MessageRun::extend(const Message& message) {
  const bool one_each = has_list_ == 0 && message.list == Message::kNoList;
  if (!one_each || form_ != message.form || count_ == kMaxCount) return false;
  if (count_ == 1 ? !setDistances(message) : !isAt(at(count_), message)) return false;
  ++count_;
  return true;
}

/// Returns false where a distance is too long. What the distances then are does not matter to the
/// only message.
bool MessageRun::setDistances(const Message& next) {
  return setDistance(static_cast<std::uint32_t>(from_), static_cast<std::uint32_t>(next.from),
                     from_distance_) &&
         setDistance(to_, static_cast<std::uint32_t>(next.to), to_distance_) &&
         setDistance(begin_.from.value(), next.begin.from.value(), begin_from_distance_) &&
         setDistance(begin_.to.value(), next.begin.to.value(), begin_to_distance_);
}

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

std::uint32_t Messages::addList(const Destinations& destinations) {
  destinations_.insert(destinations_.end(), destinations.begin(), destinations.end());
  list_end_.push_back(static_cast<std::uint32_t>(destinations_.size()));
  return static_cast<std::uint32_t>(list_end_.size() - 1);
}

void Messages::add(const Message& message) {
  ++size_;
  if (runs_.empty() || !runs_.back().extend(message)) runs_.emplace_back(message);
}

Message Messages::takeLast() {
  MessageRun& run = runs_.back();
  const Message last = run.back();
  if (run.count() == 1) {
    runs_.pop_back();
  } else {
    run.dropLast();
  }
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
  destinations_.shrink_to_fit();
  list_end_.shrink_to_fit();
}

}  // namespace ipusim::compiler
