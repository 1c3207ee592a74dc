// SPDX-License-Identifier: Apache-2.0
#include "ipusim/step_kind.h"

#include "ipusim/error.h"

namespace ipusim {

const char* nameOf(StepKind kind) {
  switch (kind) {
    case StepKind::Compute:
      return "compute";
    case StepKind::OnTileCopy:
      return "copy";
    case StepKind::Sync:
      return "sync";
    case StepKind::Exchange:
      return "exchange";
    case StepKind::HostCopy:
      return "host";
  }
  throw InternalError("no such kind of step");
}

}  // namespace ipusim
