// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/norm/channel_norm.h"

#include <algorithm>
#include <utility>

#include "workloads/ops/elementwise/bias.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/reduce/sum_rows.h"
#include "workloads/ops/reduce/tile_columns.h"
#include "workloads/vertices/elementwise/elementwise.h"

namespace ipusim::workloads {

namespace {

/// (samples, channels, field...) as (samples, field..., channels).
Tensor channelsLast(const Tensor& tensor) {
  std::vector<std::size_t> order{0};
  for (std::size_t d = 2; d < tensor.shape().size(); ++d) order.push_back(d);
  order.push_back(1);
  return tensor.dimShuffle(order);
}

std::uint64_t elementsPerChannel(const Tensor& tensor) {
  return tensor.elements() / tensor.shape()[1];
}

}  // namespace

ChannelNorm::ChannelNorm(Graph& graph, const Architecture& machine, OpResult result,
                         Program& program)
    : graph_(graph),
      machine_(machine),
      result_(std::move(result)),
      program_(program),
      ops_(graph, machine, program) {}

bool ChannelNorm::takes(const Graph& graph, const Architecture& machine, const Tensor& tensor) {
  if (tensor.shape().size() < 2 || !viewsOneVariable(graph, tensor)) return false;
  const std::uint64_t vector = machine.vectorWidth(tensor.type());
  return std::all_of(tensor.pieces().begin(), tensor.pieces().end(),
                     [vector](const Tensor::Piece& piece) {
                       return piece.stride[1] == 1 && piece.extent[1] % vector == 0;
                     });
}

Tensor ChannelNorm::ofType(const Tensor& values, ElementType type, const char* part) {
  return values.type() == type ? values : ops_.cast(values, type, step(part), Lifetime::Temporary);
}

void ChannelNorm::beside(Op op, const Tensor& data, const Tensor& vector, const Tensor& out,
                         const char* part) {
  addVectorBroadcast(graph_, {op, channelsLast(data), vector, channelsLast(out)}, step(part),
                     program_);
}

Tensor ChannelNorm::product(const Tensor& left, const Tensor& right, const char* part) {
  const Tensor storage = ops_.binary(Op::Multiply, storageOf(graph_, left),
                                     storageOf(graph_, right), step(part), Lifetime::Temporary);
  return left.inVariable(storage.pieces().front().variable);
}

Tensor ChannelNorm::sums(const std::vector<ChannelSum>& of, const char* part) {
  const Tensor& first = of.front().tensor;
  HeldColumns columns{{}, 0, first.type()};
  for (const ChannelSum& sum : of) {
    for (TileColumns& own : columnRunsByTile(graph_, channelsLast(sum.tensor))) {
      own.begin += columns.columns;
      own.end += columns.columns;
      own.op = sum.op;
      columns.held.push_back(std::move(own));
    }
    columns.columns += sum.tensor.shape()[1];
  }
  return sumHeldRows(graph_, machine_, columns, {step(part)}, program_);
}

NormResult ChannelNorm::addNorm(const NormOperands& operands, double epsilon) {
  const Tensor& x = operands.x;
  const std::uint64_t channels = x.shape()[1];
  const Tensor moments =
      sums({{x, models::ReduceOp::Add}, {x, models::ReduceOp::SquareAdd}}, "/statistics");
  ops_.scaleInPlace(moments, 1 / static_cast<double>(elementsPerChannel(x)),
                    step("/statistics/Multiply"));
  const Tensor mean = moments.slice(0, channels, 0);
  const Tensor inverse =
      ops_.addLike(mean, ElementType::Float, step("/iStdDev"), Lifetime::Temporary);
  ops_.add(
      {mean, moments.slice(channels, 2 * channels, 0), inverse},
      [&](const Runs& runs) {
        return inverseStdDevVertex({runs.lengths(), static_cast<float>(epsilon)});
      },
      step("/iStdDev"));
  Tensor y = addAlike(graph_, x, x.type(), result_.name, result_.lifetime);
  beside(Op::Subtract, x, ofType(mean, x.type(), "/mean"), y, "/whiten/Subtract");
  beside(Op::Multiply, y, ofType(inverse, x.type(), "/iStdDev/Cast"), y, "/whiten/Multiply");
  beside(Op::Multiply, y, operands.scale, y, "/scale/Multiply");
  beside(Op::Add, y, operands.bias, y, "/bias/Add");
  return {std::move(y), mean, inverse};
}

NormGradients ChannelNorm::addGradients(const NormSaved& saved) {
  const Tensor& x = saved.x;
  const std::uint64_t channels = x.shape()[1];
  const Tensor dy = arrangedAs(graph_, x, saved.gradient, step("/gradient"), program_);
  const Tensor inverse = ofType(saved.inverse, x.type(), "/iStdDev/Cast");
  const Tensor whitened = addAlike(graph_, x, x.type(), step("/whiten"));
  beside(Op::Subtract, x, ofType(saved.mean, x.type(), "/mean"), whitened, "/whiten/Subtract");
  beside(Op::Multiply, whitened, inverse, whitened, "/whiten/Multiply");
  const Tensor of_parameters =
      ofType(sums({{product(whitened, dy, "/parameters/Multiply"), models::ReduceOp::Add},
                   {dy, models::ReduceOp::Add}},
                  "/parameters"),
             x.type(), "/parameters/Cast");

  Tensor dx = addAlike(graph_, x, x.type(), result_.name, result_.lifetime);
  beside(Op::Multiply, dy, saved.scale, dx, "/scale/Multiply");
  const Tensor deltas = sums({{dx, models::ReduceOp::Add},
                              {product(whitened, dx, "/delta/Multiply"), models::ReduceOp::Add}},
                             "/delta");
  ops_.scaleInPlace(deltas, -1 / static_cast<double>(elementsPerChannel(x)),
                    step("/delta/scale/Multiply"));
  const Tensor of_x = ofType(deltas, x.type(), "/delta/Cast");
  beside(Op::Multiply, whitened, of_x.slice(channels, 2 * channels, 0), whitened,
         "/delta/variance/Multiply");
  beside(Op::Add, dx, of_x.slice(0, channels, 0), dx, "/delta/mean/Add");
  ops_.scaledAdd(storageOf(graph_, dx), storageOf(graph_, whitened), 1, step("/delta/AddTo"));
  beside(Op::Multiply, dx, inverse, dx, "/Multiply");
  return {std::move(dx), of_parameters.slice(0, channels, 0).reshape(saved.scale.shape()),
          of_parameters.slice(channels, 2 * channels, 0).reshape(saved.scale.shape())};
}

Tensor ChannelNorm::addScaled(const Tensor& x, const ChannelFactors& factors, Writes writes) {
  Tensor y =
      writes == Writes::Operand ? x : addAlike(graph_, x, x.type(), result_.name, result_.lifetime);
  beside(Op::Multiply, x, factors.scale, y, "/scale/Multiply");
  beside(Op::Add, y, factors.shift, y, "/bias/Add");
  return y;
}

}  // namespace ipusim::workloads
