// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "poplar/codelets/codelets.h"
#include "poplar/codelets/run/guard.h"
#include "poplar/codelets/run/link.h"
#include "poplar/codelets/run/worker_context.h"

namespace ipusim::codelets {

/// Linked code and variables in memory below 4 GB, ready to run. One thread at a time may use it.
class Image {
 public:
  explicit Image(const Layout& layout);

  [[nodiscard]] std::uint64_t addressOf(const Definition& definition) const {
    return memory_.address(0) + layout_.offsetOf(definition);
  }
  [[nodiscard]] CodeRange code() const {
    return {memory_.address(0), std::uint64_t{memory_.address(0)} + layout_.codeBytes()};
  }
  /// The context must lie below 4 GB and outlive the calls.
  void useContext(const WorkerContext& context);
  /// Sets `counts` to how often each block ran since the last call, and begins anew.
  void takeCounts(std::vector<std::uint64_t>& counts);
  /// The slots of all passes since the last takeCounts().
  [[nodiscard]] std::uint64_t slotsSoFar(const std::vector<CodeBlock>& blocks) const;

 private:
  const Layout& layout_;
  LowMemory memory_;
};

}  // namespace ipusim::codelets
