// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/softmax/softmax_loss.h"

#include <memory>
#include <utility>

#include "ipusim/error.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/fill/zero.h"
#include "workloads/ops/reduce/sum_rows.h"
#include "workloads/ops/rows/row_steps.h"
#include "workloads/ops/softmax/softmax.h"
#include "workloads/vertices/movement/data_movement.h"

namespace ipusim::workloads {

using models::BinaryOp;
using models::UnaryOp;

namespace {

class LossBuilder {
 public:
  LossBuilder(Graph& graph, const Architecture& machine, const Tensor& logits, std::string name,
              Program& program)
      : graph_(graph),
        machine_(machine),
        type_(logits.type()),
        batch_(logits.shape()[0]),
        classes_(logits.shape()[1]),
        name_(std::move(name)),
        program_(program),
        ops_(graph, machine, program),
        rows_(graph, machine, {batch_, classes_}, program) {}

  SoftmaxLoss build(const Classified& given) {
    const Tensor logits = rows_.addMatrix(type_, path("/logits"));
    program_.add(graph_.copy(given.logits, logits.reshape({batch_, classes_}), name_ + "/Copy"));
    subtractMaxima(rows_, logits, name_);
    const Tensor powers = ops_.unary(UnaryOp::Exponent, logits, path("/Exponent"), kTemporary);
    const Tensor sums = rows_.sums(powers, path("/sum"));
    const Tensor logs = ops_.unary(UnaryOp::Logarithm, sums, path("/Logarithm"), kTemporary);
    rows_.broadcast(BinaryOp::Subtract, {logits, logs}, path("/logSoftmax/Subtract"));
    ops_.unaryInPlace(UnaryOp::Inverse, sums, path("/Inverse"));
    rows_.broadcast(BinaryOp::Multiply, {powers, sums}, path("/softmax/Multiply"));
    const Tensor hot = oneHot(given.labels, logits);
    const Tensor loss = meanOf(logits, hot);
    ops_.binaryInPlace(BinaryOp::Subtract, powers, hot, path("/grad/Subtract"));
    ops_.scaleInPlace(powers, 1 / static_cast<double>(batch_), path("/grad/Multiply"));
    return {loss, powers.reshape({batch_, classes_})};
  }

 private:
  static constexpr Lifetime kTemporary = Lifetime::Temporary;

  [[nodiscard]] std::string path(const char* step) const { return name_ + step; }

  /// The one-hot rows of the labels, which lie like `logits`.
  Tensor oneHot(const Tensor& labels, const Tensor& logits) {
    Tensor hot = ops_.addLike(logits, type_, path("/oneHot"), kTemporary);
    addZero(graph_, machine_, {hot}, path("/oneHot/Zero"), program_);
    const ComputeSetId compute_set = graph_.addComputeSet(path("/oneHot/EncodeOneHot"));
    for (const RowSteps::TileSegments& rows : rows_.segmentsByTile(hot)) {
      graph_.addVertices(compute_set, {shared(oneHotVertex({type_, rows.count, classes_})),
                                       rows.tile,
                                       1,
                                       {{rowsOf(labels, rows, 1)}, {rowsOf(hot, rows, classes_)}}});
    }
    program_.add(execute(compute_set));
    return hot;
  }

  static View rowsOf(const Tensor& flat, const RowSteps::TileSegments& rows, std::uint64_t width) {
    return flat.flatView(rows.first * width, (rows.first + rows.count) * width);
  }

  /// The mean of the negative logarithms of the probabilities of the labels.
  Tensor meanOf(const Tensor& logs, const Tensor& hot) {
    const Tensor picked =
        ops_.binary(BinaryOp::Multiply, logs, hot, path("/nll/Multiply"), kTemporary);
    const Tensor of_rows = rows_.sums(picked, path("/nll"));
    Tensor loss = sumRows(graph_, machine_, of_rows.reshape({batch_, 1}),
                          {path("/nll/mean"), Lifetime::Always}, program_);
    ops_.scaleInPlace(loss, -1 / static_cast<double>(batch_), path("/nll/mean/Multiply"));
    return loss;
  }

  Graph& graph_;
  const Architecture& machine_;
  ElementType type_;
  std::uint64_t batch_;
  std::uint64_t classes_;
  std::string name_;
  Program& program_;
  Elementwise ops_;
  RowSteps rows_;
};

}  // namespace

SoftmaxLoss addSoftmaxLoss(Graph& graph, const Architecture& machine, const Classified& rows,
                           const std::string& name, Program& program) {
  check(rows.logits.shape().size() == 2 && rows.labels.shape() == Shape{rows.logits.shape()[0]},
        "a label for each row of logits");
  return LossBuilder(graph, machine, rows.logits, name, program).build(rows);
}

}  // namespace ipusim::workloads
