// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/dag/quantisation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "workloads/networks/dag/lowerings.h"
#include "workloads/networks/dag/network_graph.h"
#include "workloads/ops/packing/packing.h"
#include "workloads/vertices/uniform.h"

namespace ipusim::workloads {

namespace {

// A magnitude, its maximum, a product, a sum and a rounding; and a sum and a product.
constexpr std::uint64_t kQuantiseFlops = 5;
constexpr std::uint64_t kDequantiseFlops = 2;

TensorType wordsFor(const Shape& shape, std::uint64_t bits) {
  return {{Packing{elementsOf(shape), bits}.words()}, ElementType::UInt16};
}

void expectNumbers(const TensorType& operand) {
  if (operand.type == ElementType::Float || operand.type == ElementType::Half) return;
  throw OperandError("halves or floats", nameOf(operand.type));
}

TensorValues packed(const TensorValues& numbers, std::uint64_t bits) {
  const Packing packing{numbers.size(), bits};
  TensorValues words(packing.words(), 0);
  for (std::uint64_t n = 0; n < numbers.size(); ++n) {
    const auto place = static_cast<int>(bits * (n / words.size()));
    words[n % words.size()] += std::ldexp(numbers[n], place);
  }
  return words;
}

TensorValues unpacked(const TensorValues& words, std::uint64_t bits, std::uint64_t count) {
  TensorValues numbers(count);
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  for (std::uint64_t n = 0; n < count; ++n) {
    const auto word = static_cast<std::uint64_t>(words[n % words.size()]);
    numbers[n] = static_cast<double>(word >> (bits * (n / words.size())) & mask);
  }
  return numbers;
}

class Quantise final : public Operation {
 public:
  explicit Quantise(const Quantiser& quantiser) : quantiser_(quantiser) {}
  [[nodiscard]] std::string kind() const override { return "quantise"; }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    expectNumbers(operands[0]);
    const std::uint64_t elements = elementsOf(operands[0].shape);
    if (quantiser_.block != 0 && elements % quantiser_.block != 0) {
      throw OperandError(fmt::format("whole blocks of {} elements", quantiser_.block),
                         textOf(operands[0].shape));
    }
    return {wordsFor(operands[0].shape, quantiser_.bits),
            {{quantiser_.blocksOf(elements)}, ElementType::Float}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0], kQuantiseFlops);
  }
  [[nodiscard]] bool choosesLevels() const override { return true; }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return lowerQuantise(quantiser_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    const TensorValues& x = operands[0].values;
    TensorValues magnitudes(quantiser_.blocksOf(x.size()), kLeastMagnitude);
    const std::uint64_t block = x.size() / magnitudes.size();
    for (std::size_t e = 0; e < x.size(); ++e) {
      magnitudes[e / block] = std::max(magnitudes[e / block], std::abs(x[e]));
    }
    const auto most = static_cast<double>(quantiser_.most());
    const UniformRule random{quantiser_.seed};
    TensorValues levels(x.size());
    for (std::size_t e = 0; e < x.size(); ++e) {
      const bool is_nearest = quantiser_.rounding == LevelRounding::Nearest;
      const double up = is_nearest ? 0.5 : random.number(e);
      const double share = x[e] / magnitudes[e / block];
      levels[e] = std::trunc(std::clamp(share * most + most + up, 0.0, 2 * most + 1));
    }
    return {packed(levels, quantiser_.bits), std::move(magnitudes)};
  }

 private:
  Quantiser quantiser_;
};

class Dequantise final : public Operation {
 public:
  Dequantise(const Quantiser& quantiser, TensorType type)
      : quantiser_(quantiser), type_(std::move(type)) {}
  [[nodiscard]] std::string kind() const override { return "dequantise"; }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 2);
    return {type_};
  }
  [[nodiscard]] Flops flops(const TensorTypes& /*operands*/) const override {
    return elementwiseFlops(type_, kDequantiseFlops);
  }
  [[nodiscard]] bool takesWhole() const override { return true; }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return lowerDequantise(quantiser_, type_.type, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    TensorValues x = unpacked(operands[0].values, quantiser_.bits, elementsOf(type_.shape));
    const TensorValues& magnitudes = operands[1].values;
    const std::uint64_t block = x.size() / magnitudes.size();
    const auto most = static_cast<double>(quantiser_.most());
    for (std::size_t e = 0; e < x.size(); ++e) {
      x[e] = (x[e] - most) * (magnitudes[e / block] / most);
    }
    return {std::move(x)};
  }

 private:
  Quantiser quantiser_;
  TensorType type_;
};

class PackSigns final : public Operation {
 public:
  [[nodiscard]] std::string kind() const override { return "pack_signs"; }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    expectNumbers(operands[0]);
    return {wordsFor(operands[0].shape, 1)};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0]);
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return lowerPackSigns(std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    TensorValues signs = operands[0].values;
    for (double& value : signs) value = value > 0 ? 1 : 0;
    return {packed(signs, 1)};
  }
};

class UnpackSigns final : public Operation {
 public:
  explicit UnpackSigns(TensorType type) : type_(std::move(type)) {}
  [[nodiscard]] std::string kind() const override { return "unpack_signs"; }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    return {type_};
  }
  [[nodiscard]] Flops flops(const TensorTypes& /*operands*/) const override { return Flops(0); }
  [[nodiscard]] bool takesWhole() const override { return true; }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return lowerUnpackSigns(type_.type, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    return {unpacked(operands[0].values, 1, elementsOf(type_.shape))};
  }

 private:
  TensorType type_;
};

}  // namespace

OperationPointer quantise(const Quantiser& quantiser) {
  return std::make_shared<Quantise>(quantiser);
}

OperationPointer dequantise(const Quantiser& quantiser, const TensorType& type) {
  return std::make_shared<Dequantise>(quantiser, type);
}

OperationPointer packSigns() {
  return std::make_shared<PackSigns>();
}

OperationPointer unpackSigns(const TensorType& type) {
  return std::make_shared<UnpackSigns>(type);
}

}  // namespace ipusim::workloads
