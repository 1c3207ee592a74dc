// SPDX-License-Identifier: Apache-2.0
#include "ipusim/chip/transfer_link.h"

namespace ipusim {

TransferLink::TransferLink(const sc_core::sc_module_name& name, std::size_t transfers)
    : sc_module(name), sync("sync") {
  if (transfers > 0) SC_THREAD(run);
}

void TransferLink::expect(const ExpectedTransfer& transfer) {
  expected_ = transfer;
  is_expected_.notify();
}

void TransferLink::run() {
  for (;;) {
    if (!expected_) wait(is_expected_);
    const ExpectedTransfer transfer = *expected_;
    expected_.reset();
    wait(sync->releasedAtController());
    last_end_ = play(transfer, sync->lastRelease());
    ++known_;
    one_more_known_.notify();
  }
}

}  // namespace ipusim
