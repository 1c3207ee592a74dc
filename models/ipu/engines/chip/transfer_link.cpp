// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/engines/chip/transfer_link.h"

namespace ipusim::models {

TransferLink::TransferLink(const sc_core::sc_module_name& name, std::size_t transfers)
    : sc_module(name), sync("sync") {
  if (transfers > 0) SC_THREAD(run);
}

void TransferLink::expect(const ExpectedTransfer& transfer) {
  expected_ = transfer;
  release_ = sync->releases();
  is_expected_.notify();
}

void TransferLink::run() {
  for (;;) {
    if (!expected_) wait(is_expected_);
    const ExpectedTransfer transfer = *expected_;
    expected_.reset();
    const Cycles start = waitForStart();
    last_end_ = play(transfer, start);
    ++known_;
    one_more_known_.notify();
  }
}

/// A tile at the controller may have gone on in the cycle of the release, and asked for the Sync
/// after that.
Cycles TransferLink::waitForStart() {
  wait(sync->releasedAtController());
  return sync->release(release_);
}

}  // namespace ipusim::models
