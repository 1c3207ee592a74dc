// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/hadamard/hadamard.h"

#include <algorithm>
#include <vector>

#include "base/numbers/powers_of_two.h"
#include "ipusim/error.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/fill/zero.h"
#include "workloads/ops/placement/local_operands.h"
#include "workloads/ops/placement/shares.h"
#include "workloads/ops/reduce/sum_rows.h"

namespace ipusim::workloads {

using models::BinaryOp;
using models::UnaryOp;

namespace {

Tensor flat(const Tensor& tensor) {
  return tensor.reshape({tensor.elements()});
}

/// A stage on (batch, features), seen as pairs of blocks of `width` elements.
class HadamardStage {
 public:
  HadamardStage(Graph& graph, const Architecture& machine, std::uint64_t width,
                const std::string& name)
      : graph_(graph),
        machine_(machine),
        width_(width),
        name_(name + "/stage" + std::to_string(width)) {}

  Tensor forward(const Tensor& rows, Program& program) {
    LocalOperands locals(graph_, name_);
    const Tensor even = bring(rows, 0, locals);
    const Tensor odd = bring(rows, 1, locals);
    locals.addSteps(program);
    Elementwise elementwise(graph_, machine_, program);
    const auto apply = [&](BinaryOp op, const char* name) {
      return elementwise.binary(op, even, odd, name_ + name, Lifetime::Temporary);
    };
    const Tensor sums = apply(BinaryOp::Add, "/Add");
    const Tensor differences = apply(BinaryOp::Subtract, "/Subtract");
    Tensor joined = addLinear(rows, rows.shape(), "/joined");
    program.add(graph_.copy({pairOf(sums, block(joined, 0)), pairOf(differences, block(joined, 1))},
                            name_ + "/Concat"));
    return joined;
  }

  Tensor backward(const Tensor& gradient, Program& program) {
    LocalOperands locals(graph_, name_ + "/gradient");
    const Tensor second = bring(gradient, 1, locals);
    locals.addSteps(program);
    const Tensor negated =
        Elementwise(graph_, machine_, program)
            .unary(UnaryOp::Negate, second, name_ + "/gradient/Negate", Lifetime::Temporary);
    Shape four = gradient.shape();
    four.insert(four.begin(), 4);
    const Tensor padded = graph_.addVariable(gradient.type(), four, name_ + "/gradient/padded");
    mapAlike(graph_, flat(gradient), flat(padded));
    const auto place = [&](std::uint64_t index, std::uint64_t half) {
      return block(padded.slice(index, index + 1, 0).reshape(gradient.shape()), half);
    };
    addZero(graph_, machine_, {padded}, name_ + "/gradient/Zero", program);
    program.add(graph_.copy({{block(gradient, 0), place(0, 0)},
                             {block(gradient, 0), place(1, 1)},
                             {block(gradient, 1), place(2, 0)},
                             pairOf(negated, place(3, 1))},
                            name_ + "/gradient/Slices"));
    return sumRows(graph_, machine_, padded.reshape({4, gradient.elements()}),
                   {name_ + "/gradient"}, program)
        .reshape(gradient.shape());
  }

 private:
  static CopyPair pairOf(const Tensor& from, const Tensor& to) {
    return {from.reshape(to.shape()), to};
  }

  /// The even or the odd blocks: (batch, pairs of blocks, 1, width).
  [[nodiscard]] Tensor block(const Tensor& rows, std::uint64_t half) const {
    const Shape& shape = rows.shape();
    return rows.reshape({shape[0], shape[1] / (2 * width_), 2, width_}).slice(half, half + 1, 2);
  }

  /// How many elements of even blocks the rows have before element `index`.
  [[nodiscard]] std::uint64_t evenBefore(std::uint64_t index) const {
    return index / (2 * width_) * width_ + std::min(index % (2 * width_), width_);
  }

  /// The even or the odd blocks with one dimension, brought to where the even blocks of `rows` lie.
  Tensor bring(const Tensor& rows, std::uint64_t half, LocalOperands& locals) const {
    const Tensor all = flat(rows);
    const std::uint64_t first = all.pieces().front().offset.value();
    std::vector<Need> needs;
    for (const auto& [tile, share] : sharesByTile(graph_, all)) {
      for (const Section& section : share) {
        const std::uint64_t begin = evenBefore(section.begin() - first);
        const std::uint64_t end = evenBefore(section.end() - first);
        if (begin < end) needs.push_back({tile, begin, end});
      }
    }
    std::sort(needs.begin(), needs.end(),
              [](const Need& a, const Need& b) { return a.begin < b.begin; });
    return locals.bring(block(rows, half), needs).elements;
  }

  Tensor addLinear(const Tensor& like, const Shape& shape, const std::string& name) {
    Tensor tensor = graph_.addVariable(like.type(), shape, name_ + name);
    graph_.mapLinearly(tensor, machine_);
    return tensor;
  }

  Graph& graph_;
  const Architecture& machine_;
  std::uint64_t width_;
  std::string name_;
};

void checkRows(const Tensor& rows) {
  check(rows.shape().size() == 2 && isPowerOfTwo(rows.shape()[1]), "rows of a power of two");
}

}  // namespace

Tensor addHadamard(Graph& graph, const Architecture& machine, const Tensor& rows,
                   const std::string& name, Program& program) {
  checkRows(rows);
  Tensor result = rows;
  for (std::uint64_t width = 1; width < rows.shape()[1]; width *= 2) {
    result = HadamardStage(graph, machine, width, name).forward(result, program);
  }
  return result;
}

Tensor addHadamardGradient(Graph& graph, const Architecture& machine, const Tensor& gradient,
                           const std::string& name, Program& program) {
  checkRows(gradient);
  Tensor result = gradient;
  for (std::uint64_t width = gradient.shape()[1] / 2; width > 0; width /= 2) {
    result = HadamardStage(graph, machine, width, name).backward(result, program);
  }
  return result;
}

}  // namespace ipusim::workloads
