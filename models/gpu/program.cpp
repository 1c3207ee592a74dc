// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/program.h"

#include <algorithm>

#include "ipusim/error.h"

namespace ipusim::gpu {
namespace {

double eagerSeconds(const Machine& machine, const Operator& op) {
  const Framework& framework = machine.framework;
  switch (op.call) {
    case FrameworkCall::Linear:
      return framework.linear_host_seconds;
    case FrameworkCall::Product:
    case FrameworkCall::BatchedMatmul:
      return framework.linear_host_seconds * framework.batched_host_ratio;
    case FrameworkCall::Elementwise:
      return framework.linear_host_seconds * framework.elementwise_host_ratio;
    case FrameworkCall::View:
      return std::max(0.0, framework.linear_host_seconds * framework.elementwise_host_ratio -
                               machine.launch.host_seconds);
    case FrameworkCall::ButterflyStage:
      return framework.linear_host_seconds * framework.butterfly_stage_host_ratio;
    case FrameworkCall::PixelflyLayer:
      return framework.linear_host_seconds * framework.pixelfly_host_ratio;
    case FrameworkCall::TrainingStep:
      return framework.training_step_host_seconds * trainingFactor(machine, op.extra_operations);
  }
  throw InternalError("no such call");
}

double hostSeconds(const Machine& machine, const Operator& op, Host host) {
  switch (host) {
    case Host::None:
      return machine.launch.host_seconds * static_cast<double>(op.kernels.size());
    case Host::Eager:
      return eagerSeconds(machine, op);
    case Host::Graph:
      return machine.launch.graph_kernel_seconds * static_cast<double>(op.kernels.size());
  }
  throw InternalError("no such host");
}

/// Sets the units of FP32 products of the library. Other kernels have no choice.
struct UseTensorCores {
  static void set(Precision& precision) {
    if (precision == Precision::Fp32) precision = Precision::Tf32;
  }
  void operator()(Gemm& kernel) const { set(kernel.precision); }
  void operator()(BatchedGemm& kernel) const { set(kernel.precision); }
  void operator()(BlockSpmm& kernel) const { set(kernel.precision); }
  template <typename Other>
  void operator()(Other& /*kernel*/) const {}
};

}  // namespace

Program withTensorCores(Program program) {
  for (Operator& op : program.operators) {
    for (Kernel& kernel : op.kernels) std::visit(UseTensorCores{}, kernel);
  }
  return program;
}

OperatorTime operatorTime(const Machine& machine, const Operator& op, Host host) {
  OperatorTime time{op.name, op.times, {}, {}};
  time.kernels.reserve(op.kernels.size());
  Breakdown& total = time.total;
  for (const Kernel& kernel : op.kernels) {
    time.kernels.push_back(kernelTime(machine, kernel));
    total = total + time.kernels.back();
  }
  const bool product = op.call == FrameworkCall::Linear || op.call == FrameworkCall::Product;
  if (product && host != Host::None) {
    total.framework_seconds = total.device_seconds * (1 / machine.framework.efficiency - 1);
    total.device_seconds += total.framework_seconds;
  }
  total.host_seconds = hostSeconds(machine, op, host);
  total.seconds = std::max(total.device_seconds, total.host_seconds);
  total.bound = boundOf(total);
  total = total * static_cast<double>(op.times);
  if (op.kernels.size() == 1) total.tiling = time.kernels.front().tiling;
  return time;
}

ProgramTime programTime(const Machine& machine, const Program& program, Host host) {
  ProgramTime time{capacityFor(machine, program.tensors), std::nullopt, {}};
  if (!time.memory.fits()) return time;
  Breakdown total;
  for (const Operator& op : program.operators) {
    time.operators.push_back(operatorTime(machine, op, host));
    total = total + time.operators.back().total;
  }
  if (host == Host::Graph) {
    total.launch_seconds += machine.launch.graph_replay_seconds;
    total.seconds += machine.launch.graph_replay_seconds;
  }
  if (time.operators.size() == 1) total.tiling = time.operators.front().total.tiling;
  time.total = total;
  return time;
}

double trainingFactor(const Machine& machine, std::uint64_t extra_operations) {
  return 1 + machine.framework.training_operation_ratio * static_cast<double>(extra_operations);
}

}  // namespace ipusim::gpu
