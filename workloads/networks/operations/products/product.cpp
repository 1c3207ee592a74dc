// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/operations/products/product.h"

#include <fmt/format.h>

#include "workloads/networks/gpu/gpu_node.h"
#include "workloads/networks/graph/indexing.h"
#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/graph/tile_sum.h"
#include "workloads/networks/lowering/node_lowering.h"
#include "workloads/networks/lowering/planned_products.h"
#include "workloads/networks/lowering/view_lowering.h"
#include "workloads/networks/operations/rows/reduction.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/ops/matmul/lower.h"
#include "workloads/ops/numbers.h"

namespace ipusim::workloads {

namespace {

Tensor exchanged(const Tensor& tensor, ProductOperand form) {
  if (form == ProductOperand::Plain) return tensor;
  std::vector<std::size_t> order;
  for (std::size_t d = 0; d < tensor.shape().size(); ++d) order.push_back(d);
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return tensor.dimShuffle(order);
}

Shape leadingOf(const Shape& shape) {
  return {shape.begin(), shape.end() - 2};
}

/// A product as the vendor's library plans it.
class MatmulLowering final : public NodeLowering {
 public:
  MatmulLowering(const MatmulForm& form, NodeSite site)
      : NodeLowering(std::move(site)), form_(form), operation_(matmul(form)) {}

  /// A parameter on the right lies where the plan wants it, so that no step brings it there. One
  /// whose matrices are given transposed is a view of that.
  std::optional<Tensor> place(std::size_t operand,
                              const std::vector<std::optional<Tensor>>& /*known*/) override {
    const bool is_whole = isFlat() || leadingOf(site_.types[1].shape) == leadingOf(site_.result);
    if (operand != 1 || !is_whole) return std::nullopt;
    makeProduct(site_.sources);
    is_placed_ = true;
    Shape shape = site_.types[1].shape;
    if (form_.right == ProductOperand::Transposed) {
      std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
    }
    return exchanged(product_->right().reshape(shape), form_.right);
  }

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    if (!product_) makeProduct(Lifetime::Temporary);
    const Tensor left = asGroups(exchanged(operands[0], form_.left));
    if (is_placed_) {
      product_->arrange(&left, nullptr, program);
    } else {
      const Tensor right = asGroups(exchanged(operands[1], form_.right));
      product_->arrange(&left, &right, program);
    }
    return {product_->multiply(site_.lifetime, program).reshape(site_.result)};
  }

 private:
  /// Whether one right matrix is for all rows of the left operand.
  [[nodiscard]] bool isFlat() const {
    return site_.types[1].shape.size() == 2 &&
           (form_.left == ProductOperand::Plain || site_.types[0].shape.size() == 2);
  }

  [[nodiscard]] Tensor asGroups(const Tensor& tensor) const {
    const std::uint64_t columns = tensor.shape().back();
    if (isFlat()) return tensor.reshape({1, tensor.elements() / columns, columns});
    const std::uint64_t rows = tensor.shape()[tensor.shape().size() - 2];
    Shape whole = leadingOf(site_.result);
    const std::uint64_t groups = elementsOf(whole);
    whole.insert(whole.end(), {rows, columns});
    return broadcastView(tensor, whole).reshape({groups, rows, columns});
  }

  void makeProduct(Lifetime right) {
    MatmulProblem problem =
        plannedProblem(*productOf(*operation_, site_.types),
                       {site_.types.front().type, site_.products, site_.is_training});
    problem.output = form_.output.value_or(problem.input);
    product_.emplace(site_.graph, site_.machine, planMatmul(site_.machine, problem), site_.name,
                     OperandLifetimes{Lifetime::Temporary, right});
  }

  MatmulForm form_;
  OperationPointer operation_;
  std::optional<MatmulOp> product_;
  bool is_placed_ = false;  ///< the right operand is that of the product
};

/// The rows and columns of the matrices in a tensor, after a transposition if there is one.
struct Matrices {
  Shape leading;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  bool is_transposed;

  Matrices(const Shape& shape, ProductOperand operand)
      : is_transposed(operand == ProductOperand::Transposed) {
    if (shape.size() < 2) throw OperandError("at least two dimensions", textOf(shape));
    leading = Shape(shape.begin(), shape.end() - 2);
    rows = shape[shape.size() - (is_transposed ? 1 : 2)];
    columns = shape[shape.size() - (is_transposed ? 2 : 1)];
  }

  /// The matrix of a group, row by row.
  [[nodiscard]] TensorValues plain(const TensorValues& values, std::uint64_t group) const {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(group * rows * columns);
    TensorValues matrix(first, first + static_cast<std::ptrdiff_t>(rows * columns));
    if (!is_transposed) return matrix;
    for (std::uint64_t r = 0; r < rows; ++r) {
      for (std::uint64_t c = 0; c < columns; ++c) {
        matrix[r * columns + c] = first[static_cast<std::ptrdiff_t>(c * rows + r)];
      }
    }
    return matrix;
  }
};

/// Adds a product of matrices whose sums round as those on tiles.
void addRoundedProduct(const ProductSizes& sizes, const double* left, const double* right,
                       double* product) {
  for (std::uint64_t r = 0; r < sizes.rows; ++r) {
    for (std::uint64_t c = 0; c < sizes.outputs; ++c) {
      TileSum sum(0);
      for (std::uint64_t k = 0; k < sizes.inputs; ++k) {
        sum += static_cast<TileSum>(left[r * sizes.inputs + k] * right[k * sizes.outputs + c]);
      }
      product[r * sizes.outputs + c] = static_cast<double>(sum);
    }
  }
}

ProductOperand other(ProductOperand operand) {
  return operand == ProductOperand::Plain ? ProductOperand::Transposed : ProductOperand::Plain;
}

class Matmul final : public Operation {
 public:
  explicit Matmul(const MatmulForm& form)
      : left_(form.left), right_(form.right), role_(form.role), output_(form.output) {}

  [[nodiscard]] std::string kind() const override { return "matmul"; }
  [[nodiscard]] std::optional<std::string> settings() const override {
    return fmt::format("{} {} {} {}", static_cast<int>(left_), static_cast<int>(right_),
                       static_cast<int>(role_), output_ ? nameOf(*output_) : "");
  }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 2);
    expectOneType(operands, 0, 2);
    const Matrices left(operands[0].shape, left_);
    const Matrices right(operands[1].shape, right_);
    if (left.columns != right.rows) {
      throw OperandError("as many columns on the left as rows on the right",
                         textOf(operands[0].shape) + " and " + textOf(operands[1].shape));
    }
    Shape shape = broadcastShape(left.leading, right.leading);
    shape.push_back(left.rows);
    shape.push_back(right.columns);
    return {{shape, output_.value_or(operands[0].type)}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    const Matrices left(operands[0].shape, left_);
    return elementwiseFlops(infer(operands).front(), 2 * left.columns);
  }
  [[nodiscard]] GroupedProduct sizes(const TensorTypes& operands) const {
    const Matrices left(operands[0].shape, left_);
    const Matrices right(operands[1].shape, right_);
    const std::uint64_t groups = elementsOf(broadcastShape(left.leading, right.leading));
    if (right.leading.empty() && left_ == ProductOperand::Plain) {
      return {1, groups * left.rows, left.columns, right.columns, role_};
    }
    return {groups, left.rows, left.columns, right.columns, role_};
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<MatmulLowering>(MatmulForm{left_, right_, role_, output_},
                                            std::move(site));
  }
  [[nodiscard]] gpu::Operator gpuOperator(const GpuNode& node) const override {
    const gpu::Precision precision =
        node.operands[0].type == ElementType::Half ? gpu::Precision::Fp16 : gpu::Precision::Fp32;
    const GroupedProduct product = sizes(node.operands);
    const gpu::GemmShape shape{product.m, product.n, product.k, product.groups};
    if (product.groups > 1) {
      return {"", gpu::FrameworkCall::BatchedMatmul, {gpu::BatchedGemm{shape, precision}}};
    }
    return {"", gpu::FrameworkCall::Linear, {gpu::Gemm{shape, precision, gpu::Layout::Linear}}};
  }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    OperandGradients gradients(2);
    if (site.wanted[0]) gradients[0] = ofLeft(site);
    if (site.wanted[1]) gradients[1] = isFlat(site) ? ofSharedRight(site) : ofRight(site);
    return gradients;
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    return {products(operands, addProduct)};
  }
  [[nodiscard]] std::vector<TensorValues> computeRounded(
      const NumberedTensors& operands) const override {
    return {products(operands, addRoundedProduct)};
  }

 private:
  /// The products of all matrices, each by `add`.
  template <typename Add>
  [[nodiscard]] TensorValues products(const NumberedTensors& operands, const Add& add) const {
    const Matrices left(operands[0].type.shape, left_);
    const Matrices right(operands[1].type.shape, right_);
    const Shape leading = broadcastShape(left.leading, right.leading);
    const auto left_groups = broadcastSources(left.leading, leading);
    const auto right_groups = broadcastSources(right.leading, leading);
    const ProductSizes sizes{left.rows, left.columns, right.columns};
    TensorValues result(left_groups.size() * sizes.rows * sizes.outputs, 0);
    for (std::size_t g = 0; g < left_groups.size(); ++g) {
      const TensorValues a = left.plain(operands[0].values, left_groups[g]);
      const TensorValues b = right.plain(operands[1].values, right_groups[g]);
      add(sizes, a.data(), b.data(), result.data() + g * sizes.rows * sizes.outputs);
    }
    return result;
  }

  /// Whether all leading dimensions and rows of the left operand are rows of one product.
  [[nodiscard]] bool isFlat(const GradientSite& site) const {
    return site.operandType(1).shape.size() == 2 && left_ == ProductOperand::Plain;
  }

  /// A B: dy B^T. A^T B: B dy^T. Each with B as it was given.
  [[nodiscard]] NetworkTensorId ofLeft(const GradientSite& site) const {
    const NetworkTensorId dy = *site.result_gradients.front();
    const NetworkTensorId right = site.operands[1];
    const std::string name = site.name + "/left";
    const NetworkTensorId gradient =
        left_ == ProductOperand::Plain
            ? site.graph.add(
                  name, matmul({ProductOperand::Plain, other(right_), ProductRole::InputGradient}),
                  {dy, right})
            : site.graph.add(
                  name, matmul({right_, ProductOperand::Transposed, ProductRole::InputGradient}),
                  {right, dy});
    return sumOverCopies(site, site.operandType(0).shape, gradient);
  }

  /// A B: A^T dy. A B^T: dy^T A.
  [[nodiscard]] NetworkTensorId ofRight(const GradientSite& site) const {
    return sumOverCopies(site, site.operandType(1).shape,
                         rightProduct(site, site.operands[0], *site.result_gradients.front()));
  }

  /// One product, in place of one per leading index and a sum over them.
  [[nodiscard]] NetworkTensorId ofSharedRight(const GradientSite& site) const {
    const auto rows = [&site](NetworkTensorId tensor, const std::string& name) {
      const Shape& shape = site.graph.shapeOf(tensor);
      if (shape.size() == 2) return tensor;
      const Shape flat{elementsOf(shape) / shape.back(), shape.back()};
      return site.graph.add(site.name + name, reshape(flat), {tensor});
    };
    return rightProduct(site, rows(site.operands[0], "/rows"),
                        rows(*site.result_gradients.front(), "/gradient_rows"));
  }

  [[nodiscard]] NetworkTensorId rightProduct(const GradientSite& site, NetworkTensorId left,
                                             NetworkTensorId dy) const {
    const std::string name = site.name + "/right";
    if (right_ == ProductOperand::Plain) {
      return site.graph.add(
          name, matmul({other(left_), ProductOperand::Plain, ProductRole::WeightGradient}),
          {left, dy});
    }
    return site.graph.add(
        name, matmul({ProductOperand::Transposed, left_, ProductRole::WeightGradient}), {dy, left});
  }

  ProductOperand left_;
  ProductOperand right_;
  ProductRole role_;
  std::optional<ElementType> output_;
};

}  // namespace

OperationPointer matmul(const MatmulForm& form) {
  return std::make_shared<Matmul>(form);
}

std::optional<GroupedProduct> productOf(const Operation& operation, const TensorTypes& operands) {
  const auto* product = dynamic_cast<const Matmul*>(&operation);
  if (product == nullptr) return std::nullopt;
  return product->sizes(operands);
}

}  // namespace ipusim::workloads
