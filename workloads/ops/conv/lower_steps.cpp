// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "workloads/ops/conv/broadcast.h"
#include "workloads/ops/conv/lower.h"
#include "workloads/ops/conv/planner/transforms.h"
#include "workloads/ops/conv/reshaping.h"
#include "workloads/ops/elementwise/cast.h"
#include "workloads/ops/placement/shares.h"
#include "workloads/ops/serial/serial_loop.h"

// The loop of a convolution in serial steps.

namespace ipusim::workloads {

namespace {

constexpr std::size_t kResultOutChans = 1;

}  // namespace

SerialDim ConvOp::inputSteps() const {
  return {kInputInChans, plan_.partition.in_chans_serial, step().params.in_chans};
}

SerialDim ConvOp::weightSteps() const {
  const ConvPartition& partition = plan_.partition;
  if (partition.in_chans_serial > 1) {
    return {kWeightInChans, partition.in_chans_serial, step().params.in_chans};
  }
  return {kWeightOutChans, partition.out_chans_serial, step().params.out_chans};
}

/// What the last step of the weights lacks.
const Tensor& ConvOp::weightPadding() const {
  return weightSteps().dim == kWeightOutChans ? out_padding_ : zero_;
}

/// Brings all steps of an operand to where they can be sliced, spread over the tiles alike. Adds to
/// the loop what takes the counter's step, and returns that.
Tensor ConvOp::takeStep(const SteppedOperand& operand, SerialLoop& loop, Program& program) {
  const auto& [tensor, steps, name, shape_of] = operand;
  Shape shape = tensor.shape();
  shape[steps.dim] = steps.size;
  const std::uint64_t elements = elementsOf(shape);
  const Tensor step = graph_.addVariable(tensor.type(), {elements}, name + "/slice");
  graph_.setShape(step, shape_of(shape));
  graph_.mapLinearly(step, machine_);
  const Tensor all = graph_.addVariable(tensor.type(), {steps.steps * elements}, name + "/steps");
  graph_.setShape(all, shape_of(tensor.shape()));
  mapAlike(graph_, step, all);
  program.add(writeUndef(all));
  Arrivals arrivals;
  for (std::uint32_t s = 0; s < steps.steps; ++s) {
    arrivals.add(steps.part(tensor, s, zero_),
                 all.slice(s * elements, (s + 1) * elements, 0).reshape(shape));
  }
  arrivals.addSteps(graph_, machine_, name + "/steps", program);
  loop.slice(all, step, name);
  return step.reshape(shape);
}

void ConvOp::sliceInput(SerialLoop& loop) {
  if (inputSteps().steps == 1) {
    storage_.input = placed_input_;
    return;
  }
  storage_.input = addStorage(layout_.input(), form_.input + "/slice", Lifetime::Temporary);
  mapPlaced(storage_.input, inputPlace());
  loop.slice(placed_input_, storage_.input, name_ + form_.input);
}

void ConvOp::sliceWeights(SerialLoop& loop) {
  storage_.weights = addStorage(layout_.weights(), form_.weights + "/slice", Lifetime::Temporary);
  mapPlaced(storage_.weights, weightPlace());
  loop.slice(placed_weights_, storage_.weights, name_ + form_.weights);
}

/// Adds to the loop what brings the operands of a step to their tiles. An input that is broadcast
/// comes before the loop.
void ConvOp::bringStep(const ConvOperands& operands, SerialLoop& loop, Program& program) {
  const std::string input_name = name_ + form_.input;
  const std::string weights_name = name_ + form_.weights;
  const bool slices_input = has_placed_input_ && inputSteps().steps > 1;
  Arrivals padding;
  ConvOperands taken = operands;
  if (slices_input) {
    clearInput(padding);
    sliceInput(loop);
    taken.input = inputSteps().part(operands.input, 0, zero_);
  } else if (inputSteps().steps > 1) {
    taken.input = takeStep({operands.input, inputSteps(), input_name, form_.shapes.activations},
                           loop, program);
  }
  if (has_placed_weights_) {
    clearWeights(padding);
    sliceWeights(loop);
    taken.weights = weightSteps().part(operands.weights, 0, weightPadding());
  } else {
    taken.weights = takeStep({operands.weights, weightSteps(), weights_name, form_.shapes.weights},
                             loop, program);
  }
  padding.addSteps(graph_, machine_, weights_name, program);
  const ConvOperands views = views_.transformed(taken);
  Arrivals arrivals;
  if (plan_.broadcast == ConvBroadcast::BeforeLoop) {
    Arrivals before;
    bringInput(views.input, before);
    before.addSteps(graph_, machine_, name_ + "/PreArrangeInput", program);
    storage_.input_copies = addInputCopies(site(), storage_.input, form_.input, program);
  } else if (!slices_input) {
    bringInput(views.input, arrivals);
  }
  if (!has_placed_weights_) bringWeights(views.weights, arrivals);
  arrivals.addSteps(graph_, machine_, name_ + "/PreArrange", loop.body());
}

Tensor ConvOp::convolveInSteps(const ConvOperands& operands, Lifetime lifetime, Program& program) {
  SerialLoop loop({graph_, machine_, name_, plan_.partition.steps()});
  bringStep(operands, loop, program);
  return multiplyInSteps(loop, lifetime, program);
}

Tensor ConvOp::convolvePlaced(Lifetime lifetime, Program& program) {
  Tensor result;
  if (plan_.partition.steps() == 1) {
    storage_.input = placed_input_;
    storage_.weights = placed_weights_;
    result = resultOf(multiply(plan_.params.output, lifetime, program));
  } else {
    SerialLoop loop({graph_, machine_, name_, plan_.partition.steps()});
    sliceInput(loop);
    sliceWeights(loop);
    if (plan_.broadcast == ConvBroadcast::BeforeLoop) {
      storage_.input_copies = addInputCopies(site(), storage_.input, form_.input, program);
    }
    result = multiplyInSteps(loop, lifetime, program);
  }
  return inMemory(withoutOrientation(result, plan_, zero_), lifetime, program);
}

/// Adds the body of a loop whose operands are there, and the loop. Returns the result of all steps.
Tensor ConvOp::multiplyInSteps(SerialLoop& loop, Lifetime lifetime, Program& program) {
  const ElementType output = plan_.params.output;
  const ElementType partials = plan_.vertex.partials;
  const std::uint64_t elements = layout_.result().elements();
  if (plan_.partition.in_chans_serial > 1) {
    const Tensor part = multiply(partials, Lifetime::Temporary, loop.body());
    const bool casts = partials != output;
    const Tensor sum = graph_.addVariable(partials, {elements}, name_ + "/sum",
                                          casts ? Lifetime::Temporary : lifetime);
    graph_.setShape(sum, storedResultShape(layout_, form_.shapes));
    loop.accumulate(sum, part);
    loop.finish(program);
    if (!casts) return resultOf(sum);
    const Tensor result = graph_.addVariable(output, {elements}, name_ + "/result", lifetime);
    graph_.setShape(result, storedResultShape(layout_, form_.shapes));
    addCast(graph_, sum, result, name_ + "/Cast", program);
    return resultOf(result);
  }
  const Tensor part = multiply(output, Lifetime::Temporary, loop.body());
  const std::uint32_t steps = plan_.partition.out_chans_serial;
  const Tensor all = graph_.addVariable(output, {steps * elements}, name_ + "/result", lifetime);
  graph_.setShape(all, storedResultShape(layout_, form_.shapes, steps));
  loop.update(all, part);
  loop.finish(program);
  std::vector<Tensor> results;
  for (std::uint32_t s = 0; s < steps; ++s) {
    results.push_back(resultOf(all.slice(s * elements, (s + 1) * elements, 0)));
  }
  const std::uint64_t out_chans = swappedAsTold(plan_.params, plan_.transforms).out_chans;
  return concat(results, kResultOutChans).slice(0, out_chans, kResultOutChans);
}

}  // namespace ipusim::workloads
