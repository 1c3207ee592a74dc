// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "workloads/networks/compression/compression.h"

namespace ipusim::workloads {

/// What a graph keeps in place of a tensor.
struct TensorCode {
  std::optional<Code> code;             ///< none where a mask is enough
  std::optional<NetworkTensorId> mask;  ///< for nodes that read signs

  /// Bytes of all, and of what is no value.
  [[nodiscard]] Bytes bytes(const NetworkGraph& graph) const;
  [[nodiscard]] Bytes metadata(const NetworkGraph& graph) const;
};

/// What the nodes that read a tensor need of it.
struct ReaderNeeds {
  OperandNeed most;
  bool is_sign_enough_for_some;
};

/// Adds the nodes that encode a tensor.
TensorCode encodeTensor(const CodecSite& site, const Codec& codec, SignSource signs,
                        const ReaderNeeds& needs, NetworkTensorId tensor);

}  // namespace ipusim::workloads
