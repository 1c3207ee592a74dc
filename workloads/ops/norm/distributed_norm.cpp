// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/norm/distributed_norm.h"

#include <utility>

#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/rows/distributed_rows.h"
#include "workloads/vertices/elementwise/elementwise.h"

namespace ipusim::workloads {

using models::BinaryOp;
using models::ReduceOp;

NormResult addDistributedNorm(Graph& graph, const Architecture& machine,
                              const NormOperands& operands, double epsilon, const OpResult& result,
                              Program& program) {
  const Tensor& x = operands.x;
  const std::uint64_t rows = x.shape().front();
  DistributedRows distributed(graph, machine, program);
  Elementwise ops(graph, machine, program);
  const auto step = [&](const char* part) { return result.name + part; };
  const auto as_data = [&](const Tensor& values, const char* part) {
    return values.type() == x.type() ? values
                                     : ops.cast(values, x.type(), step(part), Lifetime::Temporary);
  };
  const Tensor moments = distributed.reduce({{x, ReduceOp::Add}, {x, ReduceOp::SquareAdd}},
                                            ReduceOp::Add, step("/statistics"));
  ops.scaleInPlace(moments, 1 / static_cast<double>(x.elements() / rows),
                   step("/statistics/Multiply"));
  const Tensor mean = moments.slice(0, rows, 0);
  const Tensor inverse =
      ops.addLike(mean, ElementType::Float, step("/iStdDev"), Lifetime::Temporary);
  ops.add(
      {mean, moments.slice(rows, 2 * rows, 0), inverse},
      [&](const Runs& runs) {
        return inverseStdDevVertex({runs.lengths(), static_cast<float>(epsilon)});
      },
      step("/iStdDev"));
  Tensor y = addAlike(graph, x, x.type(), result.name, result.lifetime);
  using BroadcastAlong = DistributedRows::BroadcastAlong;
  distributed.broadcast({BinaryOp::Subtract, x, as_data(mean, "/mean"), y}, BroadcastAlong::Rows,
                        step("/whiten/Subtract"));
  distributed.broadcast({BinaryOp::Multiply, y, as_data(inverse, "/iStdDev/Cast"), y},
                        BroadcastAlong::Rows, step("/whiten/Multiply"));
  distributed.broadcast({BinaryOp::Multiply, y, operands.scale, y}, BroadcastAlong::Columns,
                        step("/scale/Multiply"));
  distributed.broadcast({BinaryOp::Add, y, operands.bias, y}, BroadcastAlong::Columns,
                        step("/bias/Add"));
  return {std::move(y), mean, inverse};
}

}  // namespace ipusim::workloads
