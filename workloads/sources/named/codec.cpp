// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/codec.h"

#include <utility>

#include "models/ipu/machine/element_words.h"
#include "workloads/networks/compression/tensor_code.h"
#include "workloads/networks/graph/counts.h"
#include "workloads/sources/layer_programs.h"
#include "workloads/sources/network_compression.h"
#include "workloads/sources/network_summary.h"

namespace ipusim::workloads {

namespace {

constexpr std::uint64_t kCodecMostElements = std::uint64_t{1} << 32U;
constexpr std::size_t kMostDimensions = 8;

Shape readShape(const ConfigReader& config) {
  Shape shape = config.wholes("shape", 1, kCodecMostElements);
  std::uint64_t elements = 1;
  for (const std::uint64_t size : shape) {
    if (shape.size() > kMostDimensions || size > kCodecMostElements / elements) {
      throw config.error("shape", "up to 8 sizes of at most 4294967296 elements");
    }
    elements *= size;
  }
  return shape;
}

/// A tensor, its code, and what is decoded.
struct CodedTensor {
  NetworkGraph graph;
  TensorCode code;
  NetworkTensorId decoded;
};

CodedTensor codedTensor(const Codec& codec, const TensorType& type) {
  if (const auto wanted = codec.wantedInsteadOf(type)) {
    throw OperandError(*wanted, std::string(nameOf(type.type)) + " " + textOf(type.shape));
  }
  CodedTensor coded{{}, {}, {}};
  CodecConstants constants;
  const NetworkTensorId x = coded.graph.addSource("x", type, TensorRole::Input);
  coded.code = encodeTensor({coded.graph, constants, "x/encode"}, codec, SignSource::Decoded,
                            {OperandNeed::Value, false}, x);
  coded.decoded = codec.decode({coded.graph, constants, "x/decode"}, *coded.code.code, type);
  return coded;
}

CompressionSummary summaryOf(const CodedTensor& coded) {
  CompressionSummary summary;
  const NetworkTensorId x = coded.graph.tensorsOf(TensorRole::Input).front();
  summary.saved_before = bytesOf(coded.graph[x]);
  summary.saved_after = coded.code.bytes(coded.graph);
  summary.metadata = coded.code.metadata(coded.graph);
  for (const NetworkTensorId constant : coded.graph.tensorsOf(TensorRole::Constant)) {
    summary.constants += bytesOf(coded.graph[constant]);
  }
  summary.tensors.push_back({"x", summary.saved_before, summary.saved_after});
  return summary;
}

}  // namespace

BuiltWorkload buildCodec(const ConfigReader& config, const Architecture& machine) {
  const TensorType type{readShape(config),
                        readWord(config, "type", kNumberWords, ElementType::Float)};
  const CodecPointer codec = readCodec(config);
  BuiltWorkload built;
  makeAt(config.place("shape"), [&] {
    CodedTensor coded = codedTensor(*codec, type);
    built.flops = workOf(coded.graph);
    built.compression = summaryOf(coded);
    built.program = setNetwork(std::move(coded.graph), {coded.decoded},
                               {machine, config.place("shape"), 1}, built);
  });
  return built;
}

}  // namespace ipusim::workloads
