// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/words.h"
#include "models/gpu/breakdown.h"
#include "models/gpu/capacity.h"
#include "models/gpu/kernel.h"
#include "models/gpu/machine.h"

namespace ipusim::gpu {

/// What a framework calls an operator, which says how long its host code runs.
enum class Call : std::uint8_t {
  Linear,  ///< also any single product
  BatchedMatmul,
  Elementwise,     ///< also a reduction or a gather
  ButterflyStage,  ///< product, sum and the views between them, as one measured figure
  PixelflyLayer,   ///< the whole layer, as one measured figure
  TrainingStep,    ///< of a small network, as one measured figure that grows with its operations
};

/// One call of the framework: kernels in a row, and the call that starts them.
struct Operator {
  std::string name;
  Call call;
  std::vector<Kernel> kernels;
  std::uint64_t times = 1;
  std::uint64_t extra_operations = 0;  ///< of a training step, beyond those with a dense layer
};

/// What a workload does on a GPU, as plain data.
struct Program {
  std::string name;
  std::vector<Operator> operators;
  Bytes tensors;  ///< that are alive together, at most
};

/// Who launches the kernels.
enum class Host : std::uint8_t {
  None,   ///< the library called directly: kernel launches only
  Eager,  ///< an eager framework, call by call
  Graph,  ///< the framework's calls captured once as a graph
};

constexpr Words<Host, 3> kHostWords{
    {{Host::None, "none"}, {Host::Eager, "eager"}, {Host::Graph, "graph"}}};
inline const char* nameOf(Host host) {
  return wordOf(host, kHostWords);
}

/// The same program with every product of the library on tensor cores (TF32).
Program withTensorCores(Program program);

/// Time of an operator, repetitions included.
struct OperatorTime {
  std::string name;
  std::uint64_t times;
  Breakdown total;
  std::vector<Breakdown> kernels;  ///< of one repetition
};

struct ProgramTime {
  Capacity memory;
  std::optional<Breakdown> total;  ///< none where the tensors do not fit
  std::vector<OperatorTime> operators;
};

/// Host and device of an operator run beside each other, operators one after the other:
///
///   T = sum over operators of times max(host, device)
///   host    None: 0; Eager: seconds of a linear layer x the ratio of the call, or those of a
///           training step x trainingFactor; Graph: seconds a kernel x kernels
///   device  kernels in a row; for Linear under a framework divided by the framework's efficiency
///
/// Calibrated: ratios of ButterflyStage and PixelflyLayer, the training step and the efficiency, on
/// arXiv 2309.08946.
/// Valid for: eager absolute times within a factor of 2 to 3, ratios as fitted.
OperatorTime operatorTime(const Machine& machine, const Operator& op, Host host);

/// Memory first: where it does not fit, nothing is timed.
ProgramTime programTime(const Machine& machine, const Program& program, Host host);

/// How much longer a training step of a small network takes where its layer makes more device
/// operations, forward and backward, than a plain linear layer: 1 + ratio x extra operations. Bound
/// by the host, so that precision does not enter.
/// Calibrated: the ratio, on arXiv 2309.08946, Table 4. Valid for: relative times within 6 %.
double trainingFactor(const Machine& machine, std::uint64_t extra_operations);

}  // namespace ipusim::gpu
