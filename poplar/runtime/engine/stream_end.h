// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "poplar/detail/engine_api.hpp"

namespace poplar::detail {

/// What a transfer of a stream does that nothing is connected to.
enum class Unconnected : std::uint8_t {
  Refused,
  Zeros,  ///< the device gets zeros, and what it sends is dropped
};

/// The host's end of a stream.
class StreamEnd {
 public:
  /// `bytes` are those of one element.
  StreamEnd(std::string handle, std::size_t bytes, TransferTo to, Unconnected unconnected)
      : handle_(std::move(handle)), element_bytes_(bytes), to_(to), unconnected_(unconnected) {}

  [[nodiscard]] const std::string& handle() const { return handle_; }

  /// Connects memory, from its begin on. Each transfer takes the next piece; behind the last one
  /// comes the first again. Without an end all transfers take the same piece.
  void connect(const HostRange& range);
  void connect(std::shared_ptr<StreamCallback> callback);

  /// Gives the device the elements of a transfer, or takes them. Throws stream_connection_error
  /// where nothing is connected, unless that is allowed, and where the memory has no whole number
  /// of transfers.
  void transfer(std::vector<std::byte>& elements, bool prefetches);

 private:
  void transferWithCallback(std::vector<std::byte>& elements, bool prefetches);

  std::string handle_;
  std::size_t element_bytes_;
  TransferTo to_;
  Unconnected unconnected_;
  HostRange range_{nullptr, nullptr};
  std::size_t position_ = 0;  ///< bytes
  std::shared_ptr<StreamCallback> callback_;
  std::vector<std::byte> prefetched_;  ///< what the callback filled in before it was asked
  bool has_prefetched_ = false;
};

}  // namespace poplar::detail
