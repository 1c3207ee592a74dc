// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/softmax/softmax.h"

#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/rows/distributed_rows.h"

namespace ipusim::workloads {

using models::BinaryOp;
using models::UnaryOp;

namespace {

RowSteps rowsLike(Graph& graph, const Architecture& machine, const Tensor& matrix,
                  Program& program) {
  const Shape& shape = matrix.shape();
  return {graph, machine, cutRows(machine, {shape[0], shape[1]}, shape[1]), program};
}

}  // namespace

void subtractMaxima(RowSteps& rows, const Tensor& matrix, const std::string& name) {
  const Tensor maxima = rows.atSegments(rows.maxima(matrix, name + "/max"), name + "/max/spread");
  rows.broadcast(BinaryOp::Subtract, {matrix, maxima}, name + "/Subtract");
}

namespace {

/// A softmax where its operand lies.
Tensor addDistributedSoftmax(Graph& graph, const Architecture& machine,
                             const SoftmaxOperand& operand, const OpResult& result,
                             Program& program) {
  const Tensor& x = operand.x;
  const bool is_plain = operand.form == SoftmaxForm::Plain;
  const std::string& name = result.name;
  DistributedRows distributed(graph, machine, program);
  Elementwise ops(graph, machine, program);
  const auto reduced = [&](const Tensor& matrix, models::ReduceOp op, const char* part) {
    const Tensor floats = distributed.reduce({{matrix, op}}, op, name + part);
    return floats.type() == x.type()
               ? floats
               : ops.cast(floats, x.type(), name + part + "/Cast", Lifetime::Temporary);
  };
  using BroadcastAlong = DistributedRows::BroadcastAlong;
  Tensor y = addAlike(graph, x, x.type(), name, result.lifetime);
  distributed.broadcast({BinaryOp::Subtract, x, reduced(x, models::ReduceOp::Maximum, "/max"), y},
                        BroadcastAlong::Rows, name + "/Subtract");
  Tensor powers = y;
  if (is_plain) {
    ops.unaryInPlace(UnaryOp::Exponent, storageOf(graph, y), name + "/Exponent");
  } else {
    powers = placedAs(y, ops.unary(UnaryOp::Exponent, storageOf(graph, y), name + "/Exponent",
                                   Lifetime::Temporary));
  }
  const Tensor sums = reduced(powers, models::ReduceOp::Add, "/sum");
  ops.unaryInPlace(is_plain ? UnaryOp::Inverse : UnaryOp::Logarithm, sums,
                   name + (is_plain ? "/Inverse" : "/Logarithm"));
  distributed.broadcast({is_plain ? BinaryOp::Multiply : BinaryOp::Subtract, y, sums, y},
                        BroadcastAlong::Rows,
                        name + (is_plain ? "/Multiply" : "/logSoftmax/Subtract"));
  return y;
}

}  // namespace

Tensor addSoftmax(Graph& graph, const Architecture& machine, const SoftmaxOperand& operand,
                  const OpResult& result, Program& program) {
  const Tensor& x = operand.x;
  if (DistributedRows::takes(graph, x))
    return addDistributedSoftmax(graph, machine, operand, result, program);
  const bool is_plain = operand.form == SoftmaxForm::Plain;
  const std::string& name = result.name;
  RowSteps rows = rowsLike(graph, machine, x, program);
  Elementwise ops(graph, machine, program);
  const Tensor y = rows.bring(x, name + "/rows", result.lifetime);
  subtractMaxima(rows, y, name);
  Tensor powers = y;
  if (is_plain) {
    ops.unaryInPlace(UnaryOp::Exponent, y, name + "/Exponent");
  } else {
    powers = ops.unary(UnaryOp::Exponent, y, name + "/Exponent", Lifetime::Temporary);
  }
  const Tensor sums = rows.sums(powers, name + "/sum");
  ops.unaryInPlace(is_plain ? UnaryOp::Inverse : UnaryOp::Logarithm, sums,
                   name + (is_plain ? "/Inverse" : "/Logarithm"));
  rows.broadcast(is_plain ? BinaryOp::Multiply : BinaryOp::Subtract,
                 {y, rows.atSegments(sums, name + "/spread")},
                 name + (is_plain ? "/Multiply" : "/logSoftmax/Subtract"));
  return y.reshape(x.shape());
}

Tensor addSoftmaxGradient(Graph& graph, const Architecture& machine, const SoftmaxResult& of,
                          const OpResult& result, Program& program) {
  const std::string& name = result.name;
  RowSteps rows = rowsLike(graph, machine, of.y, program);
  Elementwise ops(graph, machine, program);
  const Tensor y = rows.bring(of.y, name + "/y");
  Tensor dx = rows.bring(of.gradient, name + "/gradient", result.lifetime);
  if (of.form == SoftmaxForm::Plain) {
    ops.binaryInPlace(BinaryOp::Multiply, dx, y, name + "/Multiply");
  } else {
    ops.unaryInPlace(UnaryOp::Exponent, y, name + "/Exponent");
  }
  const Tensor sums = rows.atSegments(rows.sums(dx, name + "/sum"), name + "/spread");
  rows.broadcast(BinaryOp::Multiply, {y, sums}, name + "/sum/Multiply");
  ops.binaryInPlace(BinaryOp::Subtract, dx, y, name + "/Subtract");
  return dx.reshape(of.y.shape());
}

}  // namespace ipusim::workloads
