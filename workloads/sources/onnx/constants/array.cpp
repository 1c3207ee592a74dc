// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/onnx/constants/array.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "workloads/networks/graph/operation.h"
#include "workloads/vertices/number.h"

namespace ipusim::workloads {

namespace {

using Type = onnx::TensorProto;

constexpr std::uint64_t kMostArrayElements = std::uint64_t{1} << 40U;
constexpr unsigned kBfloatShift = 16;  // a bfloat16 is the upper half of a float

double halfOf(std::uint16_t bits) {
  return static_cast<double>(static_cast<float>(Eigen::numext::bit_cast<Half>(bits)));
}

double bfloatOf(std::uint16_t bits) {
  const std::uint32_t whole = static_cast<std::uint32_t>(bits) << kBfloatShift;
  float value = 0;
  std::memcpy(&value, &whole, sizeof(value));
  return static_cast<double>(value);
}

/// Rounds to nearest even.
double toBfloat(double value) {
  const auto rounded = static_cast<float>(value);
  if (!std::isfinite(rounded)) return static_cast<double>(rounded);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &rounded, sizeof(bits));
  constexpr std::uint32_t kHalfUnit = 0x7FFF;
  bits += kHalfUnit + ((bits >> kBfloatShift) & 1U);
  return bfloatOf(static_cast<std::uint16_t>(bits >> kBfloatShift));
}

template <typename Number>
std::vector<Number> rawNumbers(const std::string& bytes) {
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Number));
  return numbers;
}

template <typename Number, typename List>
void readWholes(const std::string& raw, const List& list, std::vector<std::int64_t>& out) {
  if (raw.empty()) {
    out.assign(list.begin(), list.end());
    return;
  }
  for (const Number number : rawNumbers<Number>(raw)) {
    out.push_back(static_cast<std::int64_t>(number));
  }
}

template <typename Number, typename List>
void readReals(const std::string& raw, const List& list, std::vector<double>& out) {
  if (raw.empty()) {
    out.assign(list.begin(), list.end());
    return;
  }
  for (const Number number : rawNumbers<Number>(raw)) out.push_back(static_cast<double>(number));
}

/// Numbers of 16 bits stand in the low bits of the list.
void readShortReals(const onnx::TensorProto& tensor, double (*value)(std::uint16_t),
                    std::vector<double>& out) {
  if (tensor.raw_data().empty()) {
    for (const std::int32_t bits : tensor.int32_data()) {
      out.push_back(value(static_cast<std::uint16_t>(bits)));
    }
    return;
  }
  for (const auto bits : rawNumbers<std::uint16_t>(tensor.raw_data())) out.push_back(value(bits));
}

void readNumbers(const onnx::TensorProto& tensor, OnnxArray& out) {
  const std::string& raw = tensor.raw_data();
  switch (tensor.data_type()) {
    case Type::FLOAT:
      return readReals<float>(raw, tensor.float_data(), out.real);
    case Type::DOUBLE:
      return readReals<double>(raw, tensor.double_data(), out.real);
    case Type::FLOAT16:
      return readShortReals(tensor, halfOf, out.real);
    case Type::BFLOAT16:
      return readShortReals(tensor, bfloatOf, out.real);
    case Type::INT64:
      return readWholes<std::int64_t>(raw, tensor.int64_data(), out.whole);
    case Type::INT32:
      return readWholes<std::int32_t>(raw, tensor.int32_data(), out.whole);
    case Type::INT16:
      return readWholes<std::int16_t>(raw, tensor.int32_data(), out.whole);
    case Type::INT8:
      return readWholes<std::int8_t>(raw, tensor.int32_data(), out.whole);
    case Type::BOOL:
    case Type::UINT8:
      return readWholes<std::uint8_t>(raw, tensor.int32_data(), out.whole);
    case Type::UINT16:
      return readWholes<std::uint16_t>(raw, tensor.int32_data(), out.whole);
    case Type::UINT32:
      return readWholes<std::uint32_t>(raw, tensor.uint64_data(), out.whole);
    default:
      return readWholes<std::uint64_t>(raw, tensor.uint64_data(), out.whole);
  }
}

}  // namespace

bool OnnxArray::isReal() const {
  return isOnnxReal(type);
}

double OnnxArray::realAt(std::size_t element) const {
  if (isReal()) return real[element];
  if (type == Type::UINT64) return static_cast<double>(static_cast<std::uint64_t>(whole[element]));
  return static_cast<double>(whole[element]);
}

std::int64_t OnnxArray::wholeAt(std::size_t element) const {
  if (!isReal()) return whole[element];
  constexpr double kBeyond = 9223372036854775808.0;  // 2^63
  const double value = real[element];
  if (std::isnan(value)) return 0;
  if (value >= kBeyond) return std::numeric_limits<std::int64_t>::max();
  if (value < -kBeyond) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(value);
}

std::vector<double> OnnxArray::reals() const {
  if (isReal()) return real;
  std::vector<double> values(size());
  for (std::size_t e = 0; e < values.size(); ++e) values[e] = realAt(e);
  return values;
}

std::vector<std::int64_t> OnnxArray::wholes() const {
  if (!isReal()) return whole;
  std::vector<std::int64_t> values(size());
  for (std::size_t e = 0; e < values.size(); ++e) values[e] = wholeAt(e);
  return values;
}

OnnxArray OnnxArray::zeros(std::int32_t type, const Shape& shape) {
  OnnxArray array{type, shape, {}, {}};
  const std::uint64_t elements = elementsOf(shape);
  if (array.isReal()) {
    array.real.assign(elements, 0);
  } else {
    array.whole.assign(elements, 0);
  }
  return array;
}

OnnxArray OnnxArray::integers(std::vector<std::int64_t> values) {
  const Shape shape{values.size()};
  return {Type::INT64, shape, {}, std::move(values)};
}

std::string onnxTypeName(std::int32_t type) {
  constexpr std::array kNames{"no element type", "float",   "uint8",  "int8",   "uint16",
                              "int16",           "int32",   "int64",  "string", "bool",
                              "float16",         "double",  "uint32", "uint64", "complex64",
                              "complex128",      "bfloat16"};
  const bool is_named = type >= 0 && static_cast<std::size_t>(type) < kNames.size();
  return is_named ? kNames.at(static_cast<std::size_t>(type))
                  : fmt::format("the ONNX element type {}", type);
}

bool isOnnxReal(std::int32_t type) {
  return type == Type::FLOAT || type == Type::DOUBLE || type == Type::FLOAT16 ||
         type == Type::BFLOAT16;
}

bool isOnnxNumber(std::int32_t type) {
  return type > Type::UNDEFINED && type <= Type::BFLOAT16 && type != Type::STRING &&
         type != Type::COMPLEX64 && type != Type::COMPLEX128;
}

double roundedToOnnx(std::int32_t type, double value) {
  switch (type) {
    case Type::DOUBLE:
      return value;
    case Type::FLOAT16:
      return static_cast<double>(static_cast<float>(Half(value)));
    case Type::BFLOAT16:
      return toBfloat(value);
    default:
      return static_cast<double>(static_cast<float>(value));
  }
}

std::int64_t wrappedToOnnx(std::int32_t type, std::int64_t value) {
  switch (type) {
    case Type::BOOL:
      return value != 0 ? 1 : 0;
    case Type::INT32:
      return static_cast<std::int32_t>(value);
    case Type::INT16:
      return static_cast<std::int16_t>(value);
    case Type::INT8:
      return static_cast<std::int8_t>(value);
    case Type::UINT32:
      return static_cast<std::uint32_t>(value);
    case Type::UINT16:
      return static_cast<std::uint16_t>(value);
    case Type::UINT8:
      return static_cast<std::uint8_t>(value);
    default:
      return value;
  }
}

OnnxArray castArray(const OnnxArray& from, std::int32_t type) {
  if (!isOnnxNumber(type)) throw OperandError("a type of numbers", onnxTypeName(type));
  OnnxArray result = OnnxArray::zeros(type, from.shape);
  for (std::size_t e = 0; e < from.size(); ++e) {
    if (result.isReal()) {
      result.real[e] = roundedToOnnx(type, from.realAt(e));
    } else if (type == Type::BOOL) {
      result.whole[e] = from.isReal() ? (from.real[e] != 0 ? 1 : 0) : (from.whole[e] != 0 ? 1 : 0);
    } else {
      result.whole[e] = wrappedToOnnx(type, from.wholeAt(e));
    }
  }
  return result;
}

Shape shapeOfTensor(const onnx::TensorProto& tensor) {
  Shape shape;
  std::uint64_t elements = 1;
  for (const std::int64_t size : tensor.dims()) {
    if (size < 0 ||
        (size > 0 && elements > kMostArrayElements / static_cast<std::uint64_t>(size))) {
      throw OperandError(fmt::format("a tensor of at most {} elements", kMostArrayElements),
                         fmt::format("a dimension of {}", size));
    }
    shape.push_back(static_cast<std::uint64_t>(size));
    elements *= static_cast<std::uint64_t>(size);
  }
  return shape;
}

std::optional<OnnxArray> arrayOf(const onnx::TensorProto& tensor) {
  const std::int32_t type = tensor.data_type();
  if (!isOnnxNumber(type)) throw OperandError("a tensor of numbers", onnxTypeName(type));
  OnnxArray array{type, shapeOfTensor(tensor), {}, {}};
  if (tensor.data_location() == onnx::TensorProto::EXTERNAL) return std::nullopt;
  readNumbers(tensor, array);
  if (array.size() != elementsOf(array.shape)) return std::nullopt;
  return array;
}

}  // namespace ipusim::workloads
