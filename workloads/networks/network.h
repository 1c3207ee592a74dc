// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/networks/layer.h"
#include "workloads/ops/training/sgd.h"

namespace ipusim::workloads {

enum class ModuleKind : std::uint8_t {
  Layer,        ///< with parameters
  Relu,         ///< max(x, 0)
  SoftmaxLoss,  ///< the mean cross entropy of a classifier, always the last module
};

/// A module of a network, from (batch, inputs) to (batch, outputs).
struct Module {
  std::string name;         ///< prefix of the names of all that the module adds
  std::string description;  ///< equal for modules that are equal but for their names
  ModuleKind kind;
  std::uint64_t inputs;
  std::uint64_t outputs;
  MakeLayer make = {};            ///< of a Layer
  bool has_wrapper_bias = false;  ///< the class around a Layer adds a second bias
};

/// A network that is trained, as modules one after the other.
struct Network {
  std::vector<Module> modules;
  std::uint64_t batch;
  SgdRates rates;
  bool copies_batch = false;     ///< the host writes each batch and reads each loss
  double host_step_seconds = 0;  ///< time of the host beside each update
};

}  // namespace ipusim::workloads
