// SPDX-License-Identifier: Apache-2.0
#include "tests/onnx/whole_models.h"

#include "tests/onnx/onnx_builder.h"

namespace ipusim::workloads {

namespace {

using Ints = std::vector<std::int64_t>;

/// A convolution and a batch norm.
std::string addNormedConv(OnnxBuilder& b, const std::string& x, const Ints& weights,
                          std::int64_t stride) {
  const std::int64_t pad = weights[2] / 2;
  const std::string y = b.node("Conv", {x, b.weights(weights)},
                               {{"kernel_shape", Ints{weights[2], weights[3]}},
                                {"strides", Ints{stride, stride}},
                                {"pads", Ints{pad, pad, pad, pad}}});
  const std::int64_t channels = weights[0];
  return b.node("BatchNormalization", {y, b.weights({channels}), b.weights({channels}),
                                       b.weights({channels}), b.weights({channels})});
}

struct Stage {
  std::int64_t width;
  std::int64_t blocks;
  std::int64_t stride;
};

std::string addBottleneck(OnnxBuilder& b, const std::string& x, std::int64_t inputs,
                          const Stage& stage, std::int64_t stride) {
  const std::int64_t outputs = 4 * stage.width;
  std::string y = b.node("Relu", {addNormedConv(b, x, {stage.width, inputs, 1, 1}, 1)});
  y = b.node("Relu", {addNormedConv(b, y, {stage.width, stage.width, 3, 3}, stride)});
  y = addNormedConv(b, y, {outputs, stage.width, 1, 1}, 1);
  const std::string shortcut =
      inputs == outputs ? x : addNormedConv(b, x, {outputs, inputs, 1, 1}, stride);
  return b.node("Relu", {b.node("Add", {y, shortcut})});
}

/// (x - mean) / sqrt(variance + epsilon) * scale + bias, in single operators.
std::string addDecomposedNorm(OnnxBuilder& b, const std::string& x, std::int64_t width) {
  const std::vector<OnnxAttribute> last{{"axes", Ints{-1}}};
  const std::string centred = b.node("Sub", {x, b.node("ReduceMean", {x}, last)});
  const std::string variance = b.node("ReduceMean", {b.node("Pow", {centred, b.scalar(2)})}, last);
  const std::string deviation = b.node("Sqrt", {b.node("Add", {variance, b.scalar(1e-12)})});
  const std::string normed = b.node("Div", {centred, deviation});
  return b.node("Add", {b.node("Mul", {normed, b.weights({width})}), b.weights({width})});
}

std::string addProduct(OnnxBuilder& b, const std::string& x, std::int64_t inputs,
                       std::int64_t outputs) {
  return b.node("Add", {b.node("MatMul", {x, b.weights({inputs, outputs})}), b.weights({outputs})});
}

/// x (1 + erf(x / sqrt 2)) / 2.
std::string addDecomposedGelu(OnnxBuilder& b, const std::string& x) {
  const std::string erf = b.node("Erf", {b.node("Div", {x, b.scalar(1.4142135)})});
  const std::string both = b.node("Mul", {x, b.node("Add", {erf, b.scalar(1)})});
  return b.node("Mul", {both, b.scalar(0.5)});
}

class Encoder {
 public:
  Encoder(OnnxBuilder& b, const EncoderShape& shape) : b_(b), shape_(shape) {}

  std::string add(std::string x, const std::string& mask) {
    for (std::int64_t l = 0; l < shape_.layers; ++l) {
      x = addDecomposedNorm(b_, b_.node("Add", {attention(x, mask), x}), shape_.width);
      const std::string inner =
          addDecomposedGelu(b_, addProduct(b_, x, shape_.width, 4 * shape_.width));
      x = addDecomposedNorm(
          b_, b_.node("Add", {addProduct(b_, inner, 4 * shape_.width, shape_.width), x}),
          shape_.width);
    }
    return x;
  }

 private:
  /// (batch, heads, positions, width of a head), by a shape that is computed.
  std::string heads(const std::string& x, const Ints& order) {
    const std::string y = addProduct(b_, x, shape_.width, shape_.width);
    const std::string batch = b_.node("Gather", {b_.node("Shape", {y}), b_.integers({0})});
    const std::string positions = b_.node("Gather", {b_.node("Shape", {y}), b_.integers({1})});
    const std::string sizes = b_.node(
        "Concat",
        {batch, positions, b_.integers({shape_.heads}), b_.integers({shape_.width / shape_.heads})},
        {{"axis", std::int64_t{0}}});
    return b_.node("Transpose", {b_.node("Reshape", {y, sizes})}, {{"perm", order}});
  }

  std::string attention(const std::string& x, const std::string& mask) {
    const std::string queries = heads(x, {0, 2, 1, 3});
    const std::string keys = heads(x, {0, 2, 3, 1});
    const std::string values = heads(x, {0, 2, 1, 3});
    const std::string scores = b_.node("Div", {b_.node("MatMul", {queries, keys}), b_.scalar(8)});
    const std::string likely = b_.node("Softmax", {b_.node("Add", {scores, mask})});
    const std::string context =
        b_.node("Transpose", {b_.node("MatMul", {likely, values})}, {{"perm", Ints{0, 2, 1, 3}}});
    const std::string joined = b_.node("Reshape", {context, b_.integers({0, 0, shape_.width})});
    return addProduct(b_, joined, shape_.width, shape_.width);
  }

  OnnxBuilder& b_;
  EncoderShape shape_;
};

std::string addTwice(OnnxBuilder& b, std::string x, std::int64_t inputs, std::int64_t channels) {
  for (const std::int64_t from : {inputs, channels}) {
    x = b.node("Relu",
               {b.node("Conv", {x, b.weights({channels, from, 3, 3}), b.weights({channels})},
                       {{"pads", Ints{1, 1, 1, 1}}})});
  }
  return x;
}

}  // namespace

std::string resnet50Bytes() {
  OnnxBuilder b;
  std::string x = b.input("input", {-1, 3, 224, 224});
  x = b.node("Relu", {addNormedConv(b, x, {64, 3, 7, 7}, 2)});
  x = b.node("MaxPool", {x},
             {{"kernel_shape", Ints{3, 3}}, {"strides", Ints{2, 2}}, {"pads", Ints{1, 1, 1, 1}}});
  std::int64_t channels = 64;
  const std::vector<Stage> stages{{64, 3, 1}, {128, 4, 2}, {256, 6, 2}, {512, 3, 2}};
  for (const Stage& stage : stages) {
    for (std::int64_t block = 0; block < stage.blocks; ++block) {
      x = addBottleneck(b, x, channels, stage, block == 0 ? stage.stride : 1);
      channels = 4 * stage.width;
    }
  }
  x = b.node("Flatten", {b.node("GlobalAveragePool", {x})});
  return b.bytes(b.node("Gemm", {x, b.weights({1000, channels}), b.weights({1000})},
                        {{"transB", std::int64_t{1}}}));
}

std::string encoderBytes(const EncoderShape& shape) {
  OnnxBuilder b;
  const std::string words = b.input("input_ids", {-1, -2}, onnx::TensorProto::INT64);
  const std::string mask = b.input("attention_mask", {-1, -2}, onnx::TensorProto::INT64);
  const std::string wide = b.node("Unsqueeze", {mask, b.integers({1, 2})});
  const std::string real = b.node("Cast", {wide}, {{"to", std::int64_t{onnx::TensorProto::FLOAT}}});
  const std::string added = b.node("Mul", {b.node("Sub", {b.scalar(1), real}), b.scalar(-10000)});
  const std::string positions = b.node(
      "Slice", {b.weights({1, 512, shape.width}), b.integers({0}),
                b.node("Gather", {b.node("Shape", {words}), b.integers({1})}), b.integers({1})});
  std::string x = b.node("Gather", {b.weights({shape.words, shape.width}), words});
  x = addDecomposedNorm(b, b.node("Add", {x, positions}), shape.width);
  return b.bytes(Encoder(b, shape).add(x, added));
}

std::string mlpBytes() {
  OnnxBuilder b;
  std::string x = b.input("input", {-1, 784});
  const std::vector<OnnxAttribute> transposed{{"transB", std::int64_t{1}}};
  x = b.node("Relu", {b.node("Gemm", {x, b.weights({512, 784}), b.weights({512})}, transposed)});
  return b.bytes(b.node("Gemm", {x, b.weights({10, 512}), b.weights({10})}, transposed));
}

std::string unknownOperatorBytes() {
  OnnxBuilder b;
  const std::string x = b.node("MatMul", {b.input("input", {-1, 32}), b.weights({32, 16})});
  const std::string y = b.node("Blur", {x});
  b.declare(y, {-1, 16});
  return b.bytes(b.node("MatMul", {y, b.weights({16, 10})}));
}

std::string unetBytes() {
  OnnxBuilder b;
  std::string x = b.input("input", {-1, 1, 64, 64});
  std::vector<std::string> levels;
  std::int64_t channels = 1;
  for (const std::int64_t wider : {16, 32, 64}) {
    x = addTwice(b, x, channels, wider);
    levels.push_back(x);
    x = b.node("MaxPool", {x}, {{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}});
    channels = wider;
  }
  x = addTwice(b, x, channels, 2 * channels);
  for (; !levels.empty(); channels /= 2) {
    x = b.node("ConvTranspose",
               {x, b.weights({2 * channels, channels, 2, 2}), b.weights({channels})},
               {{"strides", Ints{2, 2}}});
    x = b.node("Concat", {levels.back(), x}, {{"axis", std::int64_t{1}}});
    x = addTwice(b, x, 2 * channels, channels);
    levels.pop_back();
  }
  return b.bytes(b.node("Conv", {x, b.weights({1, 16, 1, 1})}));
}

}  // namespace ipusim::workloads
