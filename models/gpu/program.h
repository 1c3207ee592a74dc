// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/config/words.h"
#include "models/gpu/breakdown.h"
#include "models/gpu/capacity.h"
#include "models/gpu/kernel.h"
#include "models/gpu/machine.h"

namespace ipusim::gpu {

/// The framework's name for an operator, which decides how long its host code runs.
enum class FrameworkCall : std::uint8_t {
  Linear,          ///< a linear layer
  Product,         ///< a product without a layer around it, which costs what a batched one does
  BatchedMatmul,   ///< a batched product, or another call of a library, such as a transform
  Elementwise,     ///< an elementwise kernel, a reduction or a gather
  View,            ///< another shape of a tensor, which starts no kernel
  ButterflyStage,  ///< product, sum and the views between them, as one measured figure
  PixelflyLayer,   ///< the whole layer, as one measured figure
  TrainingStep,    ///< a step of a small network, as one measured figure that grows with its
                   ///< operations
};

/// One call of the framework, and the kernels that it starts one after the other.
struct Operator {
  std::string name;
  FrameworkCall call;
  std::vector<Kernel> kernels;
  std::uint64_t times = 1;
  /// For a training step: operations beyond those with a dense layer.
  std::uint64_t extra_operations = 0;
};

/// What the tensors of a program hold. Half products have no choice of units: they are on tensor
/// cores.
enum class Numbers : std::uint8_t { Float, Half };

/// What a workload does on a GPU, as plain data.
struct Program {
  std::string name;
  std::vector<Operator> operators;
  Bytes tensors;  ///< bytes of the tensors that are alive together, at most
  Numbers numbers = Numbers::Float;
};

/// What launches the kernels.
enum class Host : std::uint8_t {
  None,   ///< nothing: the library is called directly, and only launches count
  Eager,  ///< an eager framework, call by call
  Graph,  ///< a graph that captured the framework's calls once
};

constexpr Words<Host, 3> kHostWords{
    {{Host::None, "none"}, {Host::Eager, "eager"}, {Host::Graph, "graph"}}};
inline const char* nameOf(Host host) {
  return wordOf(host, kHostWords);
}

/// The program with every FP32 product of the library on tensor cores (TF32).
Program withTensorCores(Program program);

/// The time of an operator, repetitions included.
struct OperatorTime {
  std::string name;
  std::uint64_t times;
  Breakdown total;
  std::vector<Breakdown> kernels;  ///< kernels of one repetition
};

struct ProgramTime {
  Capacity memory;
  std::optional<Breakdown> total;  ///< none when the tensors do not fit
  std::vector<OperatorTime> operators;
};

/// Host and device work on an operator at the same time; operators follow each other:
///
///   T = sum over operators of times max(host, device)
///   host    None: seconds of a launch x kernels
///           Eager: seconds of a linear layer x the ratio of the call, or seconds of a
///                  training step x trainingFactor
///                  View: seconds of an elementwise call less those of a launch
///           Graph: seconds per kernel x kernels
///   device  kernels in a row; Linear and Product under a framework are divided by its efficiency
///
/// Beside that, a captured graph starts graph_replay_seconds after the one before.
///
/// Calibrated: ratios of ButterflyStage and PixelflyLayer, the training step and the efficiency, on
/// arXiv 2309.08946.
/// Valid for: eager absolute times within a factor of 2 to 3, ratios as fitted.
OperatorTime operatorTime(const Machine& machine, const Operator& op, Host host);

/// The memory of a program, and its time when the tensors fit.
ProgramTime programTime(const Machine& machine, const Program& program, Host host);

/// The factor by which a training step of a small network is longer when its layer makes more
/// device operations, forward and backward, than a plain linear layer: 1 + ratio x extra
/// operations. The host bounds the step, so precision does not matter.
/// Calibrated: the ratio, on arXiv 2309.08946, Table 4.
/// Valid for: relative times within 6 %.
double trainingFactor(const Machine& machine, std::uint64_t extra_operations);

}  // namespace ipusim::gpu
