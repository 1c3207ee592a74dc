// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/norm/norm.h"

#include <utility>

#include "workloads/ops/elementwise/bias.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/reduce/sum_rows.h"
#include "workloads/vertices/elementwise/elementwise.h"

namespace ipusim::workloads {

namespace {

RowCut cutFor(const Architecture& machine, const NormLayout& layout) {
  const std::uint64_t columns = layout.elementsOfStatistic();
  const std::uint64_t unit = layout.kind == NormKind::Group ? layout.field : columns;
  return cutRows(machine, {layout.statistics(), columns}, unit);
}

}  // namespace

NormSteps::NormSteps(Graph& graph, const Architecture& machine, const NormLayout& layout,
                     OpResult result, Program& program)
    : graph_(graph),
      machine_(machine),
      layout_(layout),
      result_(std::move(result)),
      program_(program),
      rows_(graph, machine, cutFor(machine, layout), program),
      ops_(graph, machine, program) {}

/// (statistics, elements that share one).
Tensor NormSteps::matrixOf(const Tensor& tensor) const {
  const Shape matrix{layout_.statistics(), layout_.elementsOfStatistic()};
  if (layout_.kind != NormKind::Batch) return tensor.reshape(matrix);
  return tensor.reshape({layout_.samples, layout_.channels, layout_.field})
      .dimShuffle({1, 0, 2})
      .reshape(matrix);
}

Tensor NormSteps::shapedAs(const Shape& shape, const Tensor& matrix) const {
  if (layout_.kind != NormKind::Batch) return matrix.reshape(shape);
  return matrix.reshape({layout_.channels, layout_.samples, layout_.field})
      .dimShuffle({1, 0, 2})
      .reshape(shape);
}

Tensor NormSteps::ofType(const Tensor& values, ElementType type, const char* part) {
  return values.type() == type ? values : ops_.cast(values, type, step(part), Lifetime::Temporary);
}

/// A statistic in the type of the elements, at the segments.
Tensor NormSteps::statisticAt(const Tensor& statistic, ElementType type, const char* part) {
  return rows_.atSegments(ofType(statistic, type, part), step(part));
}

/// A value per channel at the segments, each of which has elements of one channel.
Tensor NormSteps::channelAt(const Tensor& values, const char* part) {
  if (layout_.kind == NormKind::Batch) return rows_.atSegments(values, step(part));
  const std::uint64_t segments = layout_.field / rows_.cut().length();
  return rows_.bringToSegments(
      values.reshape({1, layout_.channels, 1}).broadcast(layout_.samples, 0).broadcast(segments, 2),
      step(part));
}

/// One sum per segment as (channels, segments of a channel).
Tensor NormSteps::partialsByChannel(const Tensor& partials) const {
  const std::uint64_t channels = layout_.channels;
  const std::uint64_t segments = partials.elements() / channels;
  if (layout_.kind == NormKind::Batch) return partials.reshape({channels, segments});
  return partials.reshape({layout_.samples, channels, segments / layout_.samples})
      .dimShuffle({1, 0, 2})
      .reshape({channels, segments});
}

void NormSteps::multiplyScale(const Tensor& matrix, const Tensor& scale) {
  if (layout_.kind == NormKind::Layer) {
    return multiplyByRow(graph_, matrix.reshape({layout_.samples, layout_.field}), scale,
                         step("/scale/Multiply"), program_);
  }
  rows_.broadcast(Op::Multiply, {matrix, channelAt(scale, "/scale")}, step("/scale/Multiply"));
}

void NormSteps::addShift(const Tensor& matrix, const Tensor& bias) {
  if (layout_.kind == NormKind::Layer) {
    return addBias(graph_, matrix.reshape({layout_.samples, layout_.field}), bias,
                   step("/bias/Add"), program_);
  }
  rows_.broadcast(Op::Add, {matrix, channelAt(bias, "/bias")}, step("/bias/Add"));
}

/// The means of rows, times a factor. They are floats and lie alike.
std::vector<Tensor> NormSteps::means(const std::vector<RowSteps::Reduction>& of, double factor,
                                     const char* part) {
  const std::uint64_t segments = rows_.cut().segments;
  std::vector<Tensor> partials = rows_.sumSegments(of, step(part) + "/segments");
  for (Tensor& sums : partials) sums = sums.reshape({layout_.statistics(), segments});
  std::vector<Tensor> sums = rows_.sumPartials(partials, step(part));
  factor /= static_cast<double>(layout_.elementsOfStatistic());
  for (const Tensor& sum : sums) ops_.scaleInPlace(sum, factor, step(part) + "/Multiply");
  return sums;
}

NormResult NormSteps::addNorm(const NormOperands& operands, double epsilon) {
  const ElementType type = operands.x.type();
  const Tensor y = rows_.bring(matrixOf(operands.x), step("/rows"), result_.lifetime);
  const std::vector<Tensor> moments =
      means({{y, models::ReduceOp::Add}, {y, models::ReduceOp::SquareAdd}}, 1, "/statistics");
  const Tensor& mean = moments[0];
  const Tensor inverse =
      ops_.addLike(mean, ElementType::Float, step("/iStdDev"), Lifetime::Temporary);
  ops_.add(
      {mean, moments[1], inverse},
      [&](const Runs& runs) {
        return inverseStdDevVertex({runs.lengths(), static_cast<float>(epsilon)});
      },
      step("/iStdDev"));
  rows_.broadcast(Op::Subtract, {y, statisticAt(mean, type, "/mean")}, step("/whiten/Subtract"));
  rows_.broadcast(Op::Multiply, {y, statisticAt(inverse, type, "/iStdDev/spread")},
                  step("/whiten/Multiply"));
  multiplyScale(y, operands.scale);
  addShift(y, operands.bias);
  return {shapedAs(operands.x.shape(), y), mean, inverse};
}

/// The gradients of scale and bias, in one dimension.
std::vector<Tensor> NormSteps::scaleGradients(const Tensor& products, const Tensor& gradient) {
  if (layout_.kind == NormKind::Layer) {
    const Shape matrix{layout_.samples, layout_.field};
    return {
        sumRows(graph_, machine_, products.reshape(matrix), {step("/scale/gradient")}, program_),
        sumRows(graph_, machine_, gradient.reshape(matrix), {step("/bias/gradient")}, program_)};
  }
  std::vector<Tensor> sums =
      rows_.sumSegments({{products, models::ReduceOp::Add}, {gradient, models::ReduceOp::Add}},
                        step("/parameters/segments"));
  for (Tensor& partials : sums) partials = partialsByChannel(partials);
  sums = rows_.sumPartials(sums, step("/parameters"));
  for (Tensor& sum : sums) sum = ofType(sum, gradient.type(), "/parameters/Cast");
  return sums;
}

NormGradients NormSteps::addGradients(const NormSaved& saved) {
  const ElementType type = saved.x.type();
  const Tensor whitened = rows_.bring(matrixOf(saved.x), step("/rows"));
  const Tensor dx = rows_.bring(matrixOf(saved.gradient), step("/gradient"), result_.lifetime);
  const Tensor inverse = statisticAt(saved.inverse, type, "/iStdDev");
  rows_.broadcast(Op::Subtract, {whitened, statisticAt(saved.mean, type, "/mean")},
                  step("/whiten/Subtract"));
  rows_.broadcast(Op::Multiply, {whitened, inverse}, step("/whiten/Multiply"));
  const auto products = [&](const char* part) {
    return ops_.binary(Op::Multiply, whitened, dx, step(part), Lifetime::Temporary);
  };
  const std::vector<Tensor> of_parameters = scaleGradients(products("/parameters/Multiply"), dx);

  multiplyScale(dx, saved.scale);
  const std::vector<Tensor> deltas =
      means({{dx, models::ReduceOp::Add}, {products("/delta/Multiply"), models::ReduceOp::Add}}, -1,
            "/delta");
  rows_.broadcast(Op::Multiply, {whitened, statisticAt(deltas[1], type, "/delta/variance")},
                  step("/delta/variance/Multiply"));
  rows_.broadcast(Op::Add, {dx, statisticAt(deltas[0], type, "/delta/mean")},
                  step("/delta/mean/Add"));
  ops_.scaledAdd(dx, whitened, 1, step("/delta/AddTo"));
  rows_.broadcast(Op::Multiply, {dx, inverse}, step("/Multiply"));
  return {shapedAs(saved.x.shape(), dx), of_parameters[0].reshape(saved.scale.shape()),
          of_parameters[1].reshape(saved.scale.shape())};
}

Tensor NormSteps::addScaled(const Tensor& x, const ChannelFactors& factors) {
  const Tensor y = rows_.bring(matrixOf(x), step("/rows"), result_.lifetime);
  multiplyScale(y, factors.scale);
  addShift(y, factors.shift);
  return shapedAs(x.shape(), y);
}

ChannelFactors addChannelFactors(Graph& graph, const Architecture& machine,
                                 const NormOperands& operands, const GivenStatistics& given,
                                 double epsilon, const std::string& name, Program& program) {
  Elementwise ops(graph, machine, program);
  const auto copy = [&](const Tensor& values, const char* part) {
    Tensor copied = addAlike(graph, given.variance, given.variance.type(), name + part);
    program.add(graph.copy(values, copied, name + part));
    return copied;
  };
  const Tensor scale = copy(given.variance, "/factors");
  ops.addScalarInPlace(scale, epsilon, name + "/factors/Add");
  ops.unaryInPlace(models::UnaryOp::Rsqrt, scale, name + "/factors/Rsqrt");
  ops.binaryInPlace(models::BinaryOp::Multiply, scale, operands.scale, name + "/factors/Multiply");
  const Tensor product = copy(given.mean, "/shift");
  ops.binaryInPlace(models::BinaryOp::Multiply, product, scale, name + "/shift/Multiply");
  return {scale, ops.binary(models::BinaryOp::Subtract, operands.bias, product,
                            name + "/shift/Subtract", Lifetime::Temporary)};
}

}  // namespace ipusim::workloads
