// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

// Whole models as exporters write them, without weights from outside.

namespace ipusim::workloads {

/// ResNet-50 with 1000 classes, input "input" (batch, 3, 224, 224).
std::string resnet50Bytes();

/// An encoder as BERT has it, with a decomposed layer norm and gelu, shapes that are computed, and
/// inputs "input_ids" and "attention_mask" of (batch, sequence).
struct EncoderShape {
  std::int64_t layers;
  std::int64_t width;
  std::int64_t heads;
  std::int64_t words;
};
std::string encoderBytes(const EncoderShape& shape);

/// A classifier of 784 numbers with a hidden layer of 512: configs/networks/mlp.onnx.
std::string mlpBytes();

/// A hidden layer with an operator that no opset has, whose shape is declared:
/// tests/docs/unknown_operator.onnx.
std::string unknownOperatorBytes();

/// A U-Net of pictures with one channel.
std::string unetBytes();

}  // namespace ipusim::workloads
