// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/operations/elementwise/quantisation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/lowering/node_lowering.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/packing/packing.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/random/uniform.h"
#include "workloads/ops/reduce/sum_rows.h"
#include "workloads/ops/rows/row_steps.h"
#include "workloads/vertices/elementwise/uniform.h"

namespace ipusim::workloads {

namespace {

using models::BinaryOp;
using models::UnaryOp;

RowCut cutOf(const Architecture& machine, const Quantiser& quantiser, std::uint64_t elements) {
  const std::uint64_t blocks = quantiser.blocksOf(elements);
  const std::uint64_t block = elements / blocks;
  return cutRows(machine, {blocks, block}, block);
}

/// Half a step more rounds to the nearest level, a random part of a step at random.
class QuantiseLowering final : public NodeLowering {
 public:
  QuantiseLowering(const Quantiser& quantiser, NodeSite site)
      : NodeLowering(std::move(site)), quantiser_(quantiser) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    Graph& graph = site_.graph;
    RowSteps rows(graph, site_.machine,
                  cutOf(site_.machine, quantiser_, operands.front().elements()), program);
    Elementwise ops(graph, site_.machine, program);
    Tensor x = rows.bring(operands.front(), step("x"));
    if (x.type() != ElementType::Float) {
      x = ops.cast(x, ElementType::Float, step("Cast"), Lifetime::Temporary);
    }
    const Tensor magnitudes = magnitudesOf(x, rows, ops, program);
    scale(x, magnitudes, rows, ops);
    addRounding(x, ops, program);
    ops.unaryInPlace(UnaryOp::Truncate, x, step("Truncate"));
    return {packNumbers(graph, site_.machine, x, quantiser_.bits, {step("words"), site_.lifetime},
                        program),
            magnitudes};
  }

 private:
  /// The magnitudes stay until the levels are decoded.
  Tensor magnitudesOf(const Tensor& x, RowSteps& rows, Elementwise& ops, Program& program) {
    const Tensor absolute = ops.unary(UnaryOp::Absolute, x, step("Absolute"), Lifetime::Temporary);
    Tensor maxima = maximaOf(absolute, rows, program);
    ops.withScalarInPlace(BinaryOp::Maximum, maxima, kLeastMagnitude, step("Maximum"));
    if (site_.lifetime == Lifetime::Temporary) return maxima;
    Tensor kept = addAlike(site_.graph, maxima, maxima.type(), step("magnitudes"), site_.lifetime);
    program.add(site_.graph.copy(maxima, kept, step("magnitudes")));
    return kept;
  }

  /// The maximum of one block takes the stages that the library has for many partials.
  Tensor maximaOf(const Tensor& absolute, RowSteps& rows, Program& program) {
    if (rows.cut().rows > 1) return rows.maxima(absolute, step("max"));
    const Tensor column = absolute.reshape({absolute.elements(), 1});
    return reduceRows(site_.graph, site_.machine, {models::ReduceOp::Maximum, column},
                      {step("max")}, program);
  }

  /// x in steps.
  void scale(const Tensor& x, const Tensor& magnitudes, RowSteps& rows, Elementwise& ops) {
    const Tensor factors =
        ops.unary(UnaryOp::Inverse, magnitudes, step("Inverse"), Lifetime::Temporary);
    ops.scaleInPlace(factors, static_cast<double>(quantiser_.most()), step("factors"));
    rows.broadcast(BinaryOp::Multiply, {x, rows.atSegments(factors, step("spread"))},
                   step("Multiply"));
  }

  void addRounding(const Tensor& x, Elementwise& ops, Program& program) {
    const auto most = static_cast<double>(quantiser_.most());
    if (quantiser_.rounding == LevelRounding::Nearest) {
      ops.addScalarInPlace(x, most + 0.5, step("Add"));
      return;
    }
    const Tensor random = addUniform(site_.graph, {quantiser_.seed}, x, {step("random")}, program);
    ops.binaryInPlace(BinaryOp::Add, x, random, step("Add_random"));
    ops.addScalarInPlace(x, most, step("Add"));
  }

  Quantiser quantiser_;
};

/// `type` is that of the elements of the result.
class DequantiseLowering final : public NodeLowering {
 public:
  DequantiseLowering(const Quantiser& quantiser, ElementType type, NodeSite site)
      : NodeLowering(std::move(site)), quantiser_(quantiser), type_(type) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    Graph& graph = site_.graph;
    RowSteps rows(graph, site_.machine, cutOf(site_.machine, quantiser_, elementsOf(site_.result)),
                  program);
    Elementwise ops(graph, site_.machine, program);
    const bool is_float = type_ == ElementType::Float;
    const Tensor x = rows.addMatrix(ElementType::Float, step("x"),
                                    is_float ? site_.lifetime : Lifetime::Temporary);
    unpackNumbers(graph, site_.machine, operands[0], quantiser_.bits, x, step("unpacked"), program);
    const auto most = static_cast<double>(quantiser_.most());
    ops.addScalarInPlace(x, -most, step("Add"));
    const Tensor steps = ops.scale(operands[1], 1 / most, step("steps"), Lifetime::Temporary);
    rows.broadcast(BinaryOp::Multiply, {x, rows.atSegments(steps, step("spread"))},
                   step("Multiply"));
    if (is_float) return {x.reshape(site_.result)};
    return {ops.cast(x, type_, step("Cast"), site_.lifetime).reshape(site_.result)};
  }

 private:
  Quantiser quantiser_;
  ElementType type_;
};

class PackSignsLowering final : public NodeLowering {
 public:
  using NodeLowering::NodeLowering;

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    Graph& graph = site_.graph;
    Elementwise ops(graph, site_.machine, program);
    const Tensor rows = consecutive(graph, site_.machine, operands.front(), step("x"), program);
    const Tensor x = rows.reshape({rows.elements()});
    Tensor signs = ops.unary(UnaryOp::Relu, x, step("Relu"), Lifetime::Temporary);
    ops.unaryInPlace(UnaryOp::Signum, signs, step("Signum"));
    if (signs.type() != ElementType::Float) {
      signs = ops.cast(signs, ElementType::Float, step("Cast"), Lifetime::Temporary);
    }
    return {packNumbers(graph, site_.machine, signs, 1, {step("words"), site_.lifetime}, program)};
  }
};

class UnpackSignsLowering final : public NodeLowering {
 public:
  UnpackSignsLowering(ElementType type, NodeSite site)
      : NodeLowering(std::move(site)), type_(type) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    Graph& graph = site_.graph;
    const bool is_float = type_ == ElementType::Float;
    const Tensor signs =
        graph.addVariable(ElementType::Float, {elementsOf(site_.result)}, step("signs"),
                          is_float ? site_.lifetime : Lifetime::Temporary);
    graph.mapLinearly(signs, site_.machine);
    unpackNumbers(graph, site_.machine, operands[0], 1, signs, step("unpacked"), program);
    if (is_float) return {signs.reshape(site_.result)};
    return {Elementwise(graph, site_.machine, program)
                .cast(signs, type_, step("Cast"), site_.lifetime)
                .reshape(site_.result)};
  }

 private:
  ElementType type_;
};

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
    return std::make_unique<QuantiseLowering>(quantiser_, std::move(site));
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
    return std::make_unique<DequantiseLowering>(quantiser_, type_.type, std::move(site));
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
    return std::make_unique<PackSignsLowering>(std::move(site));
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
    return std::make_unique<UnpackSignsLowering>(type_.type, std::move(site));
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
