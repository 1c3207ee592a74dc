// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ipusim/graph.h"

// Networks that are trained on several chips. A network is a row of modules, between which it may
// be cut; a stage is a run of modules on one chip.

namespace ipusim::workloads {

/// A tensor that training learns.
struct Parameter {
  std::string name;
  Tensor tensor;  ///< all elements of the parameter, in one variable that lives always; other
                  ///< elements are padding
};

/// Modules [first, last) of a network.
struct ModuleRange {
  std::size_t first;
  std::size_t last;

  [[nodiscard]] std::size_t size() const { return last - first; }
};

/// How a stage shares the work of an update with others, and what it keeps between its passes.
struct StageSharing {
  bool accumulates = false;         ///< gradients are summed over several micro-batches
  std::uint64_t rack_replicas = 1;  ///< replicas that are joined by IPU-Links
  std::uint64_t racks = 1;          ///< racks, each of `rack_replicas`
  bool shards_optimizer = false;  ///< each replica of a rack keeps its part of the optimiser state
  bool recomputes_modules = false;  ///< modules keep their inputs alone for the backward pass
};

/// The variables and the steps of some modules of a network on one chip. All but the first stage
/// have their input in a landing buffer "x", and all but the last one the gradient of their result
/// in "gradient"; what they send to the next and the previous chip lies in buffers "send/...". All
/// of these live always.
class Stage {
 public:
  Stage() = default;
  virtual ~Stage() = default;
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  // The parts of a step, each to be added once, in this order.

  /// The forward pass of a micro-batch, and the loss in the last stage.
  virtual void addForward(Program& program) = 0;
  /// The backward pass of a micro-batch. Gradients are added to their accumulators, if any.
  virtual void addBackward(Program& program) = 0;
  /// The update of all parameters, after the on-chip part of the collectives over replicas.
  virtual void addUpdate(Program& program) = 0;

  // What the parts have added.

  /// The parameters that training changes.
  [[nodiscard]] virtual const std::vector<Parameter>& parameters() const = 0;
  /// The optimiser state of this chip.
  [[nodiscard]] virtual const std::vector<Tensor>& states() const = 0;
  /// One entry per parameter. Empty where gradients are not accumulated.
  [[nodiscard]] virtual const std::vector<Tensor>& accumulators() const = 0;
  /// What the forward pass reads of a micro-batch.
  [[nodiscard]] virtual std::vector<Tensor> inputs() const = 0;
  /// Those of inputs() that the backward pass reads too.
  [[nodiscard]] virtual std::vector<Tensor> inputsOfBackward() const = 0;
};

/// A network that is trained, and that may be cut into stages.
class TrainedNetwork {
 public:
  TrainedNetwork() = default;
  virtual ~TrainedNetwork() = default;
  TrainedNetwork(const TrainedNetwork&) = delete;
  TrainedNetwork& operator=(const TrainedNetwork&) = delete;

  [[nodiscard]] virtual std::size_t modules() const = 0;
  /// The name of the first layer of a module.
  [[nodiscard]] virtual std::string nameOf(std::size_t module) const = 0;
  /// Equal for runs of modules that are equal but for their names.
  [[nodiscard]] virtual std::string contentOf(ModuleRange range) const = 0;
  /// What a micro-batch sends to the module that follows. As much comes back. 0 for the last one.
  [[nodiscard]] virtual Bytes resultOf(std::size_t module) const = 0;
  /// Whether activations wait for the backward pass as codes.
  [[nodiscard]] virtual bool codesActivations() const = 0;
  /// What a prediction should say, one line each.
  [[nodiscard]] virtual std::vector<std::string> warnings() const { return {}; }
  /// How often each named pass changed it before it was cut.
  [[nodiscard]] virtual std::map<std::string, std::uint64_t> passes() const { return {}; }
  [[nodiscard]] virtual std::uint64_t batch() const = 0;
  /// Whether the update of a parameter reads the norms of the whole parameter.
  [[nodiscard]] virtual bool updatesByNorms() const { return false; }
  /// Time of the host beside each update.
  [[nodiscard]] virtual double hostStepSeconds() const = 0;

  /// A stage on one chip. This, `graph` and `machine` must outlive it.
  [[nodiscard]] virtual std::unique_ptr<Stage> stage(Graph& graph, const Architecture& machine,
                                                     ModuleRange range,
                                                     const StageSharing& sharing) const = 0;
};

}  // namespace ipusim::workloads
