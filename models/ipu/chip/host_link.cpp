// SPDX-License-Identifier: Apache-2.0
#include "ipusim/chip/host_link.h"

#include <algorithm>

#include "ipusim/chip/modelled_host.h"
#include "ipusim/chip/report.h"

namespace ipusim {

namespace {
/// The most bytes that a transaction carries. The last one of a transfer may carry fewer.
constexpr std::uint64_t kLongestTransaction = 65'536;
}  // namespace

HostLink::HostLink(const sc_core::sc_module_name& name, const ChipPrograms& programs)
    : TransferLink(name, programs.host_transfers.size()),
      socket("socket"),
      programs_(programs),
      clock_(programs.timing.clock_hz) {}

Cycles HostLink::play(const ExpectedTransfer& transfer, Cycles release) {
  return release + clock_.cyclesIn(transport(programs_.host_transfers[transfer.index]));
}

/// Returns how long the transfer took.
sc_core::sc_time HostLink::transport(const HostTransfer& transfer) {
  if (MachineClock::isLatest(clock_.at(transfer.cycles))) reportTooLong();
  data_.assign(std::min(kLongestTransaction, transfer.bytes.value()), 0);
  const auto began = sc_core::sc_time_stamp().value();
  sc_core::sc_time delay;
  ExpectedTime expected;
  expected.cycles = transfer.cycles;
  std::uint64_t moved = 0;
  do {
    const std::uint64_t length = std::min(kLongestTransaction, transfer.bytes.value() - moved);
    tlm::tlm_generic_payload payload;
    payload.set_command(transfer.to_chip ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
    payload.set_address(moved);
    payload.set_data_ptr(data_.data());
    payload.set_data_length(static_cast<unsigned>(length));
    payload.set_streaming_width(static_cast<unsigned>(length));
    payload.set_extension(&expected);
    socket->b_transport(payload, delay);
    payload.clear_extension(&expected);
    if (payload.is_response_error()) reportError(kHostReport, payload.get_response_string());
    expected.cycles = Cycles(0);
    moved += length;
  } while (moved < transfer.bytes.value());
  return sc_core::sc_time::from_value(sc_core::sc_time_stamp().value() - began) + delay;
}

}  // namespace ipusim
