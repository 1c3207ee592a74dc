// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/onnx/onnx_model.h"

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/wire_format_lite.h>

#include "base/error_boundary.h"
#include "base/files/input_file.h"
#include "base/text/message.h"
#include "ipusim/error.h"

namespace ipusim::workloads {

namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;
using google::protobuf::io::FileInputStream;

/// Lists up to this size are read: shapes, indices, masks and scalars.
constexpr int kLargestReadBytes = 1 << 22;
/// Numbers of larger floating-point tensors are weights, which nothing computes with.
constexpr std::size_t kMostKeptReals = 1U << 14U;
/// Deeper messages are refused.
constexpr int kDeepestMessages = 64;

/// Numbers of fields: github.com/onnx/onnx, onnx/onnx.proto.
constexpr int kModelGraph = 7;
constexpr int kModelOpset = 8;
constexpr int kModelFunction = 25;
constexpr int kGraphInitialiser = 5;
constexpr int kTensorRawData = 9;

bool isLarge(int field) {
  return field == kTensorRawData || (field >= 4 && field <= 7) || field == 10 || field == 11;
}

/// Reads the messages of a file one field at a time, so that large tensors are passed over.
class ModelReader {
 public:
  ModelReader(CodedInputStream& in, OnnxModel& model) : in_(in), model_(model) {}

  bool readModel() {
    while (const std::uint32_t tag = in_.ReadTag()) {
      const int field = WireFormatLite::GetTagFieldNumber(tag);
      const bool has_length =
          WireFormatLite::GetTagWireType(tag) == WireFormatLite::WIRETYPE_LENGTH_DELIMITED;
      bool is_read = false;
      if (field == kModelGraph && has_length) {
        is_read = inMessage([&] { return readGraph(); });
      } else if (field == kModelOpset && has_length) {
        is_read = inMessage([&] { return readOpset(); });
      } else if (field == kModelFunction && has_length) {
        is_read =
            inMessage([&] { return model_.functions.emplace_back().MergeFromCodedStream(&in_); });
      } else {
        is_read = WireFormatLite::SkipField(&in_, tag);
      }
      if (!is_read) return false;
    }
    return in_.ConsumedEntireMessage();
  }

 private:
  /// Reads the length of a message, then the message.
  template <typename Read>
  bool inMessage(const Read& read) {
    std::uint32_t length = 0;
    if (!in_.ReadVarint32(&length)) return false;
    const auto limit = in_.PushLimit(static_cast<int>(length));
    const bool is_read = read() && in_.BytesUntilLimit() == 0;
    in_.PopLimit(limit);
    return is_read;
  }

  bool readOpset() {
    onnx::OperatorSetIdProto opset;
    if (!opset.MergeFromCodedStream(&in_)) return false;
    model_.opsets[onnxDomain(opset.domain())] = opset.version();
    return true;
  }

  /// All fields but the initialisers are given to the parser of the library.
  bool readGraph() {
    while (const std::uint32_t tag = in_.ReadTag()) {
      const bool has_length =
          WireFormatLite::GetTagWireType(tag) == WireFormatLite::WIRETYPE_LENGTH_DELIMITED;
      if (!has_length) {
        if (!WireFormatLite::SkipField(&in_, tag)) return false;
        continue;
      }
      const bool is_initialiser = WireFormatLite::GetTagFieldNumber(tag) == kGraphInitialiser;
      if (!(is_initialiser ? inMessage([&] { return readInitialiser(); }) : readField(tag))) {
        return false;
      }
    }
    return in_.ConsumedEntireMessage() || in_.BytesUntilLimit() == 0;
  }

  bool readField(std::uint32_t tag) {
    std::string bytes;
    std::uint32_t length = 0;
    if (!in_.ReadVarint32(&length) || !in_.ReadString(&bytes, static_cast<int>(length))) {
      return false;
    }
    std::string field;
    {
      google::protobuf::io::StringOutputStream out(&field);
      google::protobuf::io::CodedOutputStream coded(&out);
      coded.WriteTag(tag);
      coded.WriteVarint32(length);
      coded.WriteString(bytes);
    }
    google::protobuf::io::ArrayInputStream source(field.data(), static_cast<int>(field.size()));
    CodedInputStream coded(&source);
    coded.SetRecursionLimit(kDeepestMessages);
    return model_.graph.MergeFromCodedStream(&coded);
  }

  static OnnxTensor initialiserOf(const onnx::TensorProto& tensor) {
    return translateErrors<OperandError>([&] { return onnxTensor(tensor); },
                                         [&](const OperandError& error) {
                                           return OperandError(
                                               "initialiser " + inQuotes(tensor.name()), error);
                                         });
  }

  bool readInitialiser() {
    std::string small;  // the fields that are worth reading
    bool is_whole = true;
    {
      google::protobuf::io::StringOutputStream out(&small);
      google::protobuf::io::CodedOutputStream coded(&out);
      while (const std::uint32_t tag = in_.ReadTag()) {
        const bool has_length =
            WireFormatLite::GetTagWireType(tag) == WireFormatLite::WIRETYPE_LENGTH_DELIMITED;
        if (!has_length) {
          if (!WireFormatLite::SkipField(&in_, tag, &coded)) return false;
          continue;
        }
        std::uint32_t length = 0;
        if (!in_.ReadVarint32(&length)) return false;
        const bool is_skipped =
            length > kLargestReadBytes && isLarge(WireFormatLite::GetTagFieldNumber(tag));
        if (is_skipped) {
          is_whole = false;
          if (!in_.Skip(static_cast<int>(length))) return false;
          continue;
        }
        std::string bytes;
        if (!in_.ReadString(&bytes, static_cast<int>(length))) return false;
        coded.WriteTag(tag);
        coded.WriteVarint32(length);
        coded.WriteString(bytes);
      }
    }
    onnx::TensorProto tensor;
    if (!tensor.ParseFromString(small)) return false;
    OnnxTensor read = initialiserOf(tensor);
    const bool is_weight = isOnnxReal(read.type) && elementsOf(read.shape) > kMostKeptReals;
    if (!is_whole || is_weight) read.numbers.reset();
    model_.initialisers.insert_or_assign(tensor.name(), std::move(read));
    return true;
  }

  CodedInputStream& in_;
  OnnxModel& model_;
};

}  // namespace

std::string onnxDomain(const std::string& domain) {
  return domain == "ai.onnx" ? "" : domain;
}

std::int64_t OnnxModel::opset() const {
  const auto found = opsets.find("");
  return found == opsets.end() ? 0 : found->second;
}

bool isOnnxWhole(std::int32_t type) {
  return isOnnxNumber(type) && !isOnnxReal(type);
}

ElementType onnxElementType(std::int32_t type) {
  if (!isOnnxNumber(type)) throw OperandError("a tensor of numbers", onnxTypeName(type));
  if (type == onnx::TensorProto::FLOAT16) return ElementType::Half;
  if (type == onnx::TensorProto::BOOL) return ElementType::Bool;
  return isOnnxReal(type) ? ElementType::Float : ElementType::UInt32;
}

ElementType onnxTileType(std::int32_t type) {
  switch (type) {
    case onnx::TensorProto::FLOAT:
    case onnx::TensorProto::FLOAT16:
    case onnx::TensorProto::INT64:
    case onnx::TensorProto::INT32:
    case onnx::TensorProto::UINT32:
    case onnx::TensorProto::BOOL:
      return onnxElementType(type);
    default:
      throw OperandError("one of the element types float, float16, int32, int64, uint32 and bool",
                         onnxTypeName(type));
  }
}

OnnxTensor onnxTensor(const onnx::TensorProto& tensor) {
  return {tensor.data_type(), shapeOfTensor(tensor), arrayOf(tensor)};
}

namespace {

OnnxModel readFrom(google::protobuf::io::ZeroCopyInputStream& bytes, const std::string& name) {
  const google::protobuf::LogSilencer quiet;  // what is wrong is told in one line
  CodedInputStream in(&bytes);
  in.SetRecursionLimit(kDeepestMessages);
  OnnxModel model;
  const bool is_read = translateErrors<OperandError>(
      [&] { return ModelReader(in, model).readModel(); },
      [&](const OperandError& error) {
        return ConfigError(fmt::format("{}: {}", oneLine(name), error.what()));
      });
  if (!is_read || model.graph.node_size() == 0) {
    throw ConfigError(fmt::format("{}: wanted an ONNX model, found {}", oneLine(name),
                                  is_read ? "no nodes" : "other bytes or a truncated file"));
  }
  return model;
}

}  // namespace

OnnxModel readOnnxModel(const std::filesystem::path& file) {
  const InputFile open(file);
  FileInputStream bytes(open.descriptor());
  return readFrom(bytes, file.string());
}

OnnxModel parseOnnxModel(std::string_view bytes, const std::string& name) {
  google::protobuf::io::ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()));
  return readFrom(stream, name);
}

}  // namespace ipusim::workloads
