// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/dag/lowerings.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/elementwise/nonlinearity.h"
#include "workloads/ops/placement/arrange.h"

namespace ipusim::workloads {

namespace {

using models::BinaryOp;

/// Functions of straight pieces, of tensors with one dimension and consecutive elements.
class Pieces {
 public:
  Pieces(const NodeSite& site, Program& program)
      : site_(site), program_(program), ops_(site.graph, site.machine, program) {}

  Tensor of(UnaryFunction function, const Tensor& x) {
    switch (function) {
      case UnaryFunction::Relu6: {
        Tensor y = ops_.unary(models::UnaryOp::Relu, x, name("Relu"), site_.lifetime);
        ops_.withScalarInPlace(BinaryOp::Minimum, y, kRelu6High, name("Minimum"));
        return y;
      }
      case UnaryFunction::LeakyRelu: {
        Tensor y = ops_.scale(x, kLeak, name("Multiply"), site_.lifetime);
        ops_.binaryInPlace(BinaryOp::Maximum, y, x, name("Maximum"));
        return y;
      }
      case UnaryFunction::HardSigmoid:
        return hardSigmoid(x, site_.lifetime);
      default: {
        Tensor y = hardSigmoid(x, site_.lifetime);
        ops_.binaryInPlace(BinaryOp::Multiply, y, x, name("Multiply_by_x"));
        return y;
      }
    }
  }

  /// `saved` is x of HardSwish, and y of the others.
  Tensor gradientOf(UnaryFunction function, const Tensor& saved, const Tensor& dy) {
    switch (function) {
      case UnaryFunction::Relu6:
        return between(saved, kRelu6High, dy, site_.lifetime);
      case UnaryFunction::LeakyRelu: {
        Tensor dx = ops_.scale(dy, kLeak, name("Multiply"), site_.lifetime);
        const Tensor above = whereAbove(saved, dy, name("above"), Lifetime::Temporary);
        ops_.scaledAdd(dx, above, 1 - kLeak, name("Add"));
        return dx;
      }
      case UnaryFunction::HardSigmoid: {
        Tensor dx = between(saved, 1, dy, site_.lifetime);
        ops_.scaleInPlace(dx, kHardSlope, name("Multiply"));
        return dx;
      }
      default:
        return hardSwishGradient(saved, dy);
    }
  }

 private:
  [[nodiscard]] std::string name(const char* part) const { return site_.name + "/" + part; }

  Tensor hardSigmoid(const Tensor& x, Lifetime lifetime) {
    Tensor y = ops_.scale(x, kHardSlope, name("Multiply"), lifetime);
    ops_.addScalarInPlace(y, 0.5, name("Add"));
    ops_.unaryInPlace(models::UnaryOp::Relu, y, name("Relu"));
    ops_.withScalarInPlace(BinaryOp::Minimum, y, 1, name("Minimum"));
    return y;
  }

  /// dy s(x) + dy x s'(x), where s is the hard sigmoid.
  Tensor hardSwishGradient(const Tensor& x, const Tensor& dy) {
    Tensor dx = hardSigmoid(x, site_.lifetime);
    const Tensor product =
        ops_.binary(BinaryOp::Multiply, dy, x, name("Multiply_by_x"), Lifetime::Temporary);
    const Tensor bent = between(dx, 1, product, Lifetime::Temporary);
    ops_.binaryInPlace(BinaryOp::Multiply, dx, dy, name("Multiply_by_gradient"));
    ops_.scaledAdd(dx, bent, kHardSlope, name("Add_bent"));
    return dx;
  }

  /// The gradient where 0 < saved < high, and 0 elsewhere. The gradient of relu masks for each
  /// bound.
  Tensor between(const Tensor& saved, double high, const Tensor& dy, Lifetime lifetime) {
    const Tensor room =
        ops_.unary(models::UnaryOp::Negate, saved, name("room"), Lifetime::Temporary);
    ops_.addScalarInPlace(room, high, name("room/Add"));
    const Tensor below = whereAbove(room, dy, name("below"), Lifetime::Temporary);
    return whereAbove(saved, below, name("between"), lifetime);
  }

  /// The gradient where saved > 0, and 0 elsewhere.
  Tensor whereAbove(const Tensor& saved, const Tensor& dy, const std::string& name,
                    Lifetime lifetime) {
    return nonlinearityGradient(site_.graph, site_.machine, {models::NonLinearity::Relu, dy, saved},
                                {name, lifetime}, program_);
  }

  const NodeSite& site_;
  Program& program_;
  Elementwise ops_;
};

class PiecewiseLowering final : public NodeLowering {
 public:
  PiecewiseLowering(UnaryFunction function, NodeSite site)
      : NodeLowering(std::move(site)), function_(function) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor x = inOneVariable(operands.front(), "x", program);
    return {resultIn(Pieces(site_, program).of(function_, storageOf(site_.graph, x)), x)};
  }

 private:
  UnaryFunction function_;
};

class PiecewiseGradientLowering final : public NodeLowering {
 public:
  PiecewiseGradientLowering(UnaryFunction function, NodeSite site)
      : NodeLowering(std::move(site)), function_(function) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor saved = inOneVariable(operands[0], "saved", program);
    const Tensor gradient = alike(saved, operands[1], "arranged", program);
    const Tensor storage =
        Pieces(site_, program)
            .gradientOf(function_, storageOf(site_.graph, saved), storageOf(site_.graph, gradient));
    return {resultIn(storage, saved)};
  }

 private:
  UnaryFunction function_;
};

}  // namespace

bool isPiecewise(UnaryFunction function) {
  switch (function) {
    case UnaryFunction::Relu6:
    case UnaryFunction::LeakyRelu:
    case UnaryFunction::HardSigmoid:
    case UnaryFunction::HardSwish:
      return true;
    default:
      return false;
  }
}

NodeLoweringPointer lowerPiecewise(UnaryFunction function, NodeSite site) {
  return std::make_unique<PiecewiseLowering>(function, std::move(site));
}

NodeLoweringPointer lowerPiecewiseGradient(UnaryFunction function, NodeSite site) {
  return std::make_unique<PiecewiseGradientLowering>(function, std::move(site));
}

}  // namespace ipusim::workloads
