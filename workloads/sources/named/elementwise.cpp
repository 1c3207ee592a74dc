// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/elementwise.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/gpu_layers.h"
#include "workloads/ops/numbers.h"
#include "workloads/ops/placement/shares.h"
#include "workloads/sources/named/parts/matmul_options.h"
#include "workloads/vertices/custom.h"
#include "workloads/vertices/params.h"

namespace ipusim::workloads {

namespace {

constexpr std::uint64_t kMaxElements = std::uint64_t{1} << 32U;
// A float result is right to a few units of its last place, and a half result to one half of a
// unit.
constexpr double kElementwiseFloatTolerance = 2e-6;
constexpr double kElementwiseHalfTolerance = 1e-3;
constexpr double kStreamScale = 3;  // the scalar in STREAM

/// What an operator computes. Null where it has no value for some numbers.
using UnaryOnDoubles = double (*)(double);
using BinaryOnDoubles = double (*)(double, double);

struct UnaryEntry {
  models::UnaryOp op;
  UnaryOnDoubles apply;
};
struct BinaryEntry {
  models::BinaryOp op;
  BinaryOnDoubles apply;
};

double gelu(double x) {
  return 0.5 * x * (1 + std::erf(x * std::sqrt(0.5)));
}

const std::map<std::string, UnaryEntry>& unaryOps() {
  using Op = models::UnaryOp;
  static const std::map<std::string, UnaryEntry> kOps{
      {"absolute", {Op::Absolute, [](double x) { return std::abs(x); }}},
      {"exponent", {Op::Exponent, [](double x) { return std::exp(x); }}},
      {"gelu_erf", {Op::GeluErf, gelu}},
      {"inverse", {Op::Inverse, nullptr}},
      {"logarithm", {Op::Logarithm, nullptr}},
      {"negate", {Op::Negate, [](double x) { return -x; }}},
      {"relu", {Op::Relu, [](double x) { return std::max(x, 0.0); }}},
      {"rsqrt", {Op::Rsqrt, nullptr}},
      {"sigmoid", {Op::Sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }}},
      {"sqrt", {Op::Sqrt, nullptr}},
      {"square", {Op::Square, [](double x) { return x * x; }}},
      {"tanh", {Op::Tanh, [](double x) { return std::tanh(x); }}},
  };
  return kOps;
}

const std::map<std::string, BinaryEntry>& binaryOps() {
  using Op = models::BinaryOp;
  static const std::map<std::string, BinaryEntry> kOps{
      {"add", {Op::Add, [](double a, double b) { return a + b; }}},
      {"divide", {Op::Divide, nullptr}},
      {"maximum", {Op::Maximum, [](double a, double b) { return std::max(a, b); }}},
      {"minimum", {Op::Minimum, [](double a, double b) { return std::min(a, b); }}},
      {"multiply", {Op::Multiply, [](double a, double b) { return a * b; }}},
      {"subtract", {Op::Subtract, [](double a, double b) { return a - b; }}},
  };
  return kOps;
}

Values eachOf(UnaryOnDoubles function, const Values& values) {
  Values results(values.size());
  std::transform(values.begin(), values.end(), results.begin(), function);
  return results;
}

Values eachOf(BinaryOnDoubles function, const Values& left, const Values& right) {
  Values results(left.size());
  std::transform(left.begin(), left.end(), right.begin(), results.begin(), function);
  return results;
}

/// Builds a workload on tensors of one length and type.
class Builder {
 public:
  Builder(const ConfigReader& config, const Architecture& machine)
      : machine_(machine),
        type_(readWord(config, "type", kNumberWords, ElementType::Float)),
        elements_(config.whole("elements", 1, kMaxElements)),
        ops_(built_.graph, machine, built_.program) {
    // Every tile multiplies and adds one vector per cycle.
    built_.peak_flops_per_cycle = 2.0 * machine.vectorWidth(type_) * machine.tiles;
    built_.peak_units = kVectorUnits;
  }

  Elementwise& ops() { return ops_; }
  Graph& graph() { return built_.graph; }
  Program& program() { return built_.program; }

  Tensor addTensor(const std::string& name) {
    Tensor tensor = built_.graph.addVariable(type_, {elements_}, name, Lifetime::Always);
    built_.graph.mapLinearly(tensor, machine_, kLinearGrain);
    return tensor;
  }
  /// Adds a tensor with the tile mapping of `first`.
  Tensor addTensorLike(const Tensor& first, const std::string& name) {
    Tensor tensor = built_.graph.addVariable(type_, {elements_}, name, Lifetime::Always);
    mapAlike(built_.graph, first, tensor);
    return tensor;
  }
  Tensor addInput(const std::string& name) {
    inputs_.push_back(
        {name, inputs_.empty() ? addTensor(name) : addTensorLike(inputs_.front().tensor, name)});
    return inputs_.back().tensor;
  }

  using Compute = std::function<Values(const std::vector<Values>&)>;
  BuiltWorkload finish(const Tensor& result, std::uint64_t flops_per_element,
                       const Compute& compute) {
    built_.flops = Flops(flops_per_element * elements_);
    built_.gpu = gpuMap(type_, {elements_, inputs_.size(), flops_per_element});
    built_.host = [inputs = inputs_, result] { return HostTensors{inputs, {{"result", result}}}; };
    if (compute) {
      const double tolerance =
          type_ == ElementType::Half ? kElementwiseHalfTolerance : kElementwiseFloatTolerance;
      built_.reference = {[compute](const std::vector<Values>& values) {
                            return std::vector<Values>{compute(values)};
                          },
                          tolerance};
    }
    return std::move(built_);
  }

 private:
  const Architecture& machine_;
  ElementType type_;
  std::uint64_t elements_;
  BuiltWorkload built_;
  Elementwise ops_;
  std::vector<HostTensor> inputs_;
};

BuiltWorkload buildUnary(Builder& builder, const UnaryEntry& entry, const std::string& name,
                         models::OpPlacement placement) {
  Tensor result = builder.addInput("in");
  if (placement == models::OpPlacement::InPlace) {
    builder.ops().unaryInPlace(entry.op, result, name);
  } else {
    result = builder.ops().unary(entry.op, result, name, Lifetime::Always);
  }
  Builder::Compute compute;
  if (entry.apply != nullptr) {
    compute = [function = entry.apply](const std::vector<Values>& values) {
      return eachOf(function, values[0]);
    };
  }
  return builder.finish(result, 1, compute);
}

BuiltWorkload buildBinary(Builder& builder, const BinaryEntry& entry, const std::string& name,
                          models::OpPlacement placement) {
  Tensor result = builder.addInput("left");
  const Tensor right = builder.addInput("right");
  if (placement == models::OpPlacement::InPlace) {
    builder.ops().binaryInPlace(entry.op, result, right, name);
  } else {
    result = builder.ops().binary(entry.op, result, right, name, Lifetime::Always);
  }
  Builder::Compute compute;
  if (entry.apply != nullptr) {
    compute = [function = entry.apply](const std::vector<Values>& values) {
      return eachOf(function, values[0], values[1]);
    };
  }
  return builder.finish(result, 1, compute);
}

Values triadOf(const std::vector<Values>& values) {
  return eachOf([](double x, double y) { return x + kStreamScale * y; }, values[0], values[1]);
}

/// A triad with one hand-written vertex per tile.
BuiltWorkload buildAssemblyTriad(Builder& builder) {
  const Tensor b = builder.addInput("b");
  const Tensor c = builder.addInput("c");
  const Tensor a = builder.addTensorLike(b, "a");
  const ComputeSetId compute_set = builder.graph().addComputeSet("triad");
  for (const auto& [tile, share] : sharesByTile(builder.graph(), b)) {
    auto type = shared(triadVertex({static_cast<float>(kStreamScale), elementsOf(share)}));
    builder.graph().addVertices(
        compute_set,
        {std::move(type), tile, 1, {{share}, {shareIn(c, share, b)}, {shareIn(a, share, b)}}});
  }
  builder.program().add(execute(compute_set));
  return builder.finish(a, 2, triadOf);
}

BuiltWorkload buildTriad(Builder& builder) {
  const Tensor b = builder.addInput("b");
  const Tensor c = builder.addInput("c");
  const Tensor a = builder.addTensorLike(b, "a");
  builder.program().add(builder.graph().copy(b, a, "triad/Copy"));
  builder.ops().scaledAdd(a, c, kStreamScale, "triad/AddTo");
  return builder.finish(a, 2, triadOf);
}

}  // namespace

BuiltWorkload buildElementwise(const ConfigReader& config, const Architecture& machine) {
  std::vector<std::string> names;
  for (const auto& entry : unaryOps()) names.push_back(entry.first);
  for (const auto& entry : binaryOps()) names.push_back(entry.first);
  const std::string name = config.choice("op", names);
  const auto placement =
      readWord(config, "in_place", kInPlaceWords, models::OpPlacement::OutOfPlace);
  Builder builder(config, machine);
  const auto unary = unaryOps().find(name);
  if (unary != unaryOps().end()) return buildUnary(builder, unary->second, name, placement);
  return buildBinary(builder, binaryOps().at(name), name, placement);
}

BuiltWorkload buildStream(const ConfigReader& config, const Architecture& machine) {
  const std::string kernel = config.choice("kernel", {"add", "copy", "scale", "triad"});
  const bool is_float =
      readWord(config, "type", kNumberWords, ElementType::Float) == ElementType::Float;
  const bool has_assembly = kernel == "triad" && is_float;
  const bool assembly = config.choice("code", {"library", "assembly"},
                                      has_assembly ? "assembly" : "library") == "assembly";
  if (assembly && !has_assembly) {
    throw config.error("code", "\"library\": only a triad of float is there in assembly");
  }
  Builder builder(config, machine);
  if (assembly) return buildAssemblyTriad(builder);
  if (kernel == "triad") return buildTriad(builder);
  if (kernel == "add") return buildBinary(builder, binaryOps().at("add"), "add", {});
  if (kernel == "scale") {
    const Tensor result =
        builder.ops().scale(builder.addInput("c"), kStreamScale, "scale", Lifetime::Always);
    return builder.finish(result, 1, [](const std::vector<Values>& values) {
      return eachOf([](double x) { return kStreamScale * x; }, values[0]);
    });
  }
  const Tensor a = builder.addInput("a");
  const Tensor c = builder.addTensorLike(a, "c");
  builder.program().add(builder.graph().copy(a, c, "copy"));
  return builder.finish(c, 0, [](const std::vector<Values>& values) { return values[0]; });
}

}  // namespace ipusim::workloads
