// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/compression/tensor_code.h"

#include "workloads/networks/graph/counts.h"
#include "workloads/networks/operations/shaping.h"

namespace ipusim::workloads {

Bytes TensorCode::bytes(const NetworkGraph& graph) const {
  Bytes bytes;
  if (code) bytes += bytesOf(graph[code->values]);
  if (code && code->scales) bytes += bytesOf(graph[*code->scales]);
  if (mask) bytes += bytesOf(graph[*mask]);
  return bytes;
}

Bytes TensorCode::metadata(const NetworkGraph& graph) const {
  Bytes bytes;
  if (code && code->scales) bytes += bytesOf(graph[*code->scales]);
  if (code && mask) bytes += bytesOf(graph[*mask]);
  return bytes;
}

TensorCode encodeTensor(const CodecSite& site, const Codec& codec, SignSource signs,
                        const ReaderNeeds& needs, NetworkTensorId tensor) {
  TensorCode encoded;
  const bool has_mask = signs == SignSource::Mask && needs.is_sign_enough_for_some;
  if (has_mask) encoded.mask = site.add("mask", packSigns(), {tensor});
  if (has_mask && needs.most == OperandNeed::Sign) return encoded;
  Code code = codec.encode(site, tensor);
  if (!codec.isCompact()) code.values = site.add("kept", rowMajor(), {code.values});
  encoded.code = code;
  return encoded;
}

}  // namespace ipusim::workloads
