// SPDX-License-Identifier: Apache-2.0
#include "ipusim/step_kind.h"

#include "base/config/words.h"

namespace ipusim {

const char* nameOf(StepKind kind) {
  static constexpr Words<StepKind, 8> kWords{{{StepKind::Compute, "compute"},
                                              {StepKind::OnTileCopy, "copy"},
                                              {StepKind::Sync, "sync"},
                                              {StepKind::Exchange, "exchange"},
                                              {StepKind::GlobalExchange, "global_exchange"},
                                              {StepKind::HostCopy, "host"},
                                              {StepKind::RemoteBegin, "remote_begin"},
                                              {StepKind::RemoteEnd, "remote"}}};
  return wordOf(kind, kWords);
}

}  // namespace ipusim
