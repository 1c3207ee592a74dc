// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/dag/quarters.h"

#include <algorithm>
#include <cmath>

#include "workloads/networks/dag/lowerings.h"
#include "workloads/vertices/number.h"

namespace ipusim::workloads {

namespace {

// A magnitude, its maximum and a product; and a product. Casts do not count.
constexpr std::uint64_t kEncodeFlops = 3;
constexpr std::uint64_t kDecodeFlops = 1;

class ToQuarters final : public Operation {
 public:
  [[nodiscard]] std::string kind() const override { return "to_quarters"; }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    if (!isFloating(operands[0].type)) {
      throw OperandError("halves or floats", nameOf(operands[0].type));
    }
    return {{operands[0].shape, ElementType::Quarter}, {{1}, ElementType::Float}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0], kEncodeFlops);
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return lowerToQuarters(std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    TensorValues quarters = operands[0].values;
    double largest = leastMagnitude(operands[0].type.type);
    for (const double value : quarters) largest = std::max(largest, std::abs(value));
    // An infinite magnitude has no scale; no finite one of a float needs more.
    constexpr double kMostScale = 128;
    const double scale =
        std::max(-kMostScale, std::floor(std::log2(kMostBeforeRounding / largest)));
    for (double& value : quarters) {
      const double scaled = std::ldexp(value, static_cast<int>(scale));
      value = static_cast<double>(Quarter(static_cast<float>(scaled)));
    }
    return {std::move(quarters), {scale}};
  }
  [[nodiscard]] bool choosesLevels() const override { return true; }
};

class FromQuarters final : public Operation {
 public:
  explicit FromQuarters(ElementType type) : type_(type) {}
  [[nodiscard]] std::string kind() const override { return "from_quarters"; }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 2);
    return {{operands[0].shape, type_}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0], kDecodeFlops);
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return lowerFromQuarters(type_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    TensorValues values = operands[0].values;
    const double scale = operands[1].values.front();
    for (double& value : values) value = std::ldexp(value, -static_cast<int>(scale));
    return {std::move(values)};
  }

 private:
  ElementType type_;
};

}  // namespace

double leastMagnitude(ElementType type) {
  constexpr double kOfFloats = 0x1p-100;
  constexpr double kOfHalves = 0x1p-8;  // times 2^15, the largest power of two that is a half
  return type == ElementType::Half ? kOfHalves : kOfFloats;
}

OperationPointer toQuarters() {
  return std::make_shared<ToQuarters>();
}

OperationPointer fromQuarters(ElementType type) {
  return std::make_shared<FromQuarters>(type);
}

}  // namespace ipusim::workloads
