// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/engine/stream_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "poplar/exceptions.hpp"

namespace poplar::detail {

void StreamEnd::connect(const HostRange& range) {
  const auto* begin = static_cast<const std::byte*>(range.begin);
  const auto* end = static_cast<const std::byte*>(range.end);
  if (end != nullptr &&
      (end < begin || (end - begin) % static_cast<std::ptrdiff_t>(element_bytes_) != 0)) {
    throw stream_connection_error(fmt::format("stream {}: wanted memory of whole elements of {} "
                                              "bytes",
                                              handle_, element_bytes_)
                                      .c_str());
  }
  range_ = range;
  position_ = 0;
  callback_.reset();
}

void StreamEnd::connect(std::shared_ptr<StreamCallback> callback) {
  if (callback_ && has_prefetched_) callback_->invalidatePrefetched();
  has_prefetched_ = false;
  callback_ = std::move(callback);
  range_ = {nullptr, nullptr};
}

void StreamEnd::transfer(std::vector<std::byte>& elements, bool prefetches) {
  if (callback_) return transferWithCallback(elements, prefetches);
  if (range_.begin == nullptr) {
    if (unconnected_ == Unconnected::Zeros) {
      std::fill(elements.begin(), elements.end(), std::byte{0});
      return;
    }
    throw stream_connection_error(
        fmt::format("stream {}: wanted memory or a callback of the host for it, found none (with "
                    "the option ipusim.unconnectedStreams set to zeros, it has zeros)",
                    handle_)
            .c_str());
  }
  auto* at = static_cast<std::byte*>(range_.begin) + position_;
  if (range_.end != nullptr) {
    const auto room = static_cast<std::size_t>(static_cast<std::byte*>(range_.end) -
                                               static_cast<std::byte*>(range_.begin));
    if (position_ + elements.size() > room) {
      throw stream_connection_error(
          fmt::format("stream {}: wanted memory for a whole number of transfers of {} bytes, found "
                      "{} bytes",
                      handle_, elements.size(), room)
              .c_str());
    }
    position_ += elements.size();
    if (position_ == room) position_ = 0;
  }
  if (elements.empty()) return;
  if (to_ == TransferTo::Device) {
    std::memcpy(elements.data(), at, elements.size());
  } else {
    std::memcpy(at, elements.data(), elements.size());
  }
}

void StreamEnd::transferWithCallback(std::vector<std::byte>& elements, bool prefetches) {
  if (to_ == TransferTo::Device && has_prefetched_ && prefetched_.size() == elements.size()) {
    elements = prefetched_;
  } else {
    callback_->fetch(elements.data());
  }
  has_prefetched_ = false;
  callback_->complete();
  if (to_ == TransferTo::Host || !prefetches) return;
  prefetched_.resize(elements.size());
  has_prefetched_ = callback_->prefetch(prefetched_.data()) == StreamCallback::Result::Success;
}

}  // namespace poplar::detail
