// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/elementwise.h"

#include <algorithm>
#include <cmath>

#include "models/ipu/cost/elementwise/binary_loops.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/elementwise/gpu_map.h"
#include "workloads/ops/placement/shares.h"
#include "workloads/sources/named/parts/matmul_options.h"
#include "workloads/vertices/elementwise/operators.h"
#include "workloads/vertices/params.h"
#include "workloads/vertices/user/custom.h"

namespace ipusim::workloads {

namespace {

constexpr std::uint64_t kMaxElements = std::uint64_t{1} << 32U;
// A float result is right to a few units of its last place, and a half result to one half of a
// unit.
constexpr double kElementwiseFloatTolerance = 2e-6;
constexpr double kElementwiseHalfTolerance = 1e-3;
constexpr double kStreamScale = 3;  // the scalar in STREAM

using Values = std::vector<double>;

/// The operators that give numbers of the type of their operands, on halves and floats.
std::vector<BinaryOperator> numberOperators() {
  std::vector<BinaryOperator> rows;
  for (const BinaryOperator& row : binaryOperators()) {
    const bool has_cost =
        models::hasLoop({row.op, ElementType::Half}, models::SecondOperand::Tensor);
    if (has_cost && row.result == ResultKind::Operand) rows.push_back(row);
  }
  return rows;
}

Values eachOf(double (*function)(double), const Values& values) {
  Values results(values.size());
  std::transform(values.begin(), values.end(), results.begin(), function);
  return results;
}

Values eachOf(const std::function<double(double, double)>& function, const Values& left,
              const Values& right) {
  Values results(left.size());
  std::transform(left.begin(), left.end(), right.begin(), results.begin(), function);
  return results;
}

/// Builds a workload on tensors of one length and type.
class ElementwiseBuilder {
 public:
  ElementwiseBuilder(const ConfigReader& config, const Architecture& machine)
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

BuiltWorkload buildUnary(ElementwiseBuilder& builder, const UnaryOperator& row,
                         models::OpPlacement placement) {
  Tensor result = builder.addInput("in");
  if (placement == models::OpPlacement::InPlace) {
    builder.ops().unaryInPlace(row.op, result, row.word);
  } else {
    result = builder.ops().unary(row.op, result, row.word, Lifetime::Always);
  }
  ElementwiseBuilder::Compute compute;
  if (row.domain != Domain::Part) {
    compute = [function = row.value](const std::vector<Values>& values) {
      return eachOf(function, values[0]);
    };
  }
  return builder.finish(result, 1, compute);
}

BuiltWorkload buildBinary(ElementwiseBuilder& builder, const BinaryOperator& row,
                          models::OpPlacement placement) {
  Tensor result = builder.addInput("left");
  const Tensor right = builder.addInput("right");
  if (placement == models::OpPlacement::InPlace) {
    builder.ops().binaryInPlace(row.op, result, right, row.word);
  } else {
    result = builder.ops().binary(row.op, result, right, row.word, Lifetime::Always);
  }
  ElementwiseBuilder::Compute compute;
  if (row.domain != Domain::Part) {
    compute = [function = row.value](const std::vector<Values>& values) {
      return eachOf(function, values[0], values[1]);
    };
  }
  return builder.finish(result, 1, compute);
}

Values triadOf(const std::vector<Values>& values) {
  return eachOf([](double x, double y) { return x + kStreamScale * y; }, values[0], values[1]);
}

/// A triad with one hand-written vertex per tile.
BuiltWorkload buildAssemblyTriad(ElementwiseBuilder& builder) {
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

BuiltWorkload buildTriad(ElementwiseBuilder& builder) {
  const Tensor b = builder.addInput("b");
  const Tensor c = builder.addInput("c");
  const Tensor a = builder.addTensorLike(b, "a");
  builder.program().add(builder.graph().copy(b, a, "triad/Copy"));
  builder.ops().scaledAdd(a, c, kStreamScale, "triad/AddTo");
  return builder.finish(a, 2, triadOf);
}

}  // namespace

BuiltWorkload buildElementwise(const ConfigReader& config, const Architecture& machine) {
  const std::vector<BinaryOperator> on_two = numberOperators();
  std::vector<std::string> names;
  for (const UnaryOperator& row : unaryOperators()) names.emplace_back(row.word);
  for (const BinaryOperator& row : on_two) names.emplace_back(row.word);
  const std::string name = config.choice("op", names);
  const auto placement =
      readWord(config, "in_place", kInPlaceWords, models::OpPlacement::OutOfPlace);
  ElementwiseBuilder builder(config, machine);
  const UnaryOperator* on_one = rowNamed(unaryOperators(), name);
  if (on_one != nullptr) return buildUnary(builder, *on_one, placement);
  return buildBinary(builder, *rowNamed(on_two, name), placement);
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
  ElementwiseBuilder builder(config, machine);
  if (assembly) return buildAssemblyTriad(builder);
  if (kernel == "triad") return buildTriad(builder);
  if (kernel == "add") return buildBinary(builder, operatorOf(models::BinaryOp::Add), {});
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
