// SPDX-License-Identifier: Apache-2.0
#include "ipusim/step_kind.h"

#include "base/words.h"

namespace ipusim {

const char* nameOf(StepKind kind) {
  static constexpr Words<StepKind, 6> kWords{{{StepKind::Compute, "compute"},
                                              {StepKind::OnTileCopy, "copy"},
                                              {StepKind::Sync, "sync"},
                                              {StepKind::Exchange, "exchange"},
                                              {StepKind::GlobalExchange, "global_exchange"},
                                              {StepKind::HostCopy, "host"}}};
  return wordOf(kind, kWords);
}

}  // namespace ipusim
