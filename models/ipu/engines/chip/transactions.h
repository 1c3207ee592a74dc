// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <systemc>
#include <tlm>
#include <vector>

#include "ipusim/units.h"
#include "models/ipu/engines/chip/report.h"

namespace ipusim::models {

/// Data that move between the chip and a target behind one of its sockets.
struct DataTransfer {
  Bytes bytes;
  std::uint64_t address;
  bool to_chip;
  const char* report;  ///< the id of the error that the target answers with
};

/// Moves the data in transactions of at most 64 KiB, one after the other. The chip holds no data,
/// so it writes zeros. Each transaction carries `extension`, and `next()` changes the extension for
/// the one that follows, or returns false to send no more. Returns how long the target took: the
/// time that it waited and the delay that it annotated.
template <typename Extension, typename Next>
sc_core::sc_time transport(const DataTransfer& transfer, tlm::tlm_fw_transport_if<>& target,
                           Extension& extension, const Next& next) {
  constexpr std::uint64_t kLongestTransaction = 65'536;
  std::vector<unsigned char> data(std::min(kLongestTransaction, transfer.bytes.value()), 0);
  const auto began = sc_core::sc_time_stamp().value();
  sc_core::sc_time delay;
  std::uint64_t moved = 0;
  do {
    const std::uint64_t length = std::min(kLongestTransaction, transfer.bytes.value() - moved);
    tlm::tlm_generic_payload payload;
    payload.set_command(transfer.to_chip ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
    payload.set_address(transfer.address + moved);
    payload.set_data_ptr(data.data());
    payload.set_data_length(static_cast<unsigned>(length));
    payload.set_streaming_width(static_cast<unsigned>(length));
    payload.set_extension(&extension);
    target.b_transport(payload, delay);
    payload.clear_extension(&extension);
    if (payload.is_response_error()) reportError(transfer.report, payload.get_response_string());
    moved += length;
  } while (next() && moved < transfer.bytes.value());
  return sc_core::sc_time::from_value(sc_core::sc_time_stamp().value() - began) + delay;
}

}  // namespace ipusim::models
