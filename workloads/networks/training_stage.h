// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "workloads/networks/network.h"

namespace ipusim::workloads {

struct SharedTensors;

/// How a stage shares the work of an update with others.
struct StageSharing {
  bool accumulates = false;         ///< gradients are summed over several micro-batches
  std::uint64_t rack_replicas = 1;  ///< replicas that are joined by IPU-Links
  std::uint64_t racks = 1;          ///< racks, each of `rack_replicas`
  bool shards_optimizer = false;  ///< each replica of a rack keeps its part of the optimiser state
};

/// The variables and the steps of some modules of a network on one chip. All but the first stage
/// have their input in a landing buffer, and all but the last one the gradient of their result;
/// what they send to the next and the previous chip lies in send buffers. `graph` must outlive all
/// that uses this.
class TrainingStage {
 public:
  TrainingStage(Graph& graph, const Architecture& machine, const Network& network,
                ModuleRange range, const StageSharing& sharing);

  // The parts of a step, each to be added once, in this order.

  /// The forward pass of a micro-batch, and the loss in the last stage.
  void addForward(Program& program);
  /// The backward pass of a micro-batch. Gradients are added to their accumulators, if any.
  void addBackward(Program& program);
  /// The update of all parameters, after the on-chip part of the collectives over replicas.
  void addUpdate(Program& program);

  /// The parameters, in the order of the modules.
  [[nodiscard]] const std::vector<Parameter>& parameters() const { return parameters_; }
  /// One entry per parameter. Where the optimiser state is sharded, the share of all parameters.
  [[nodiscard]] const std::vector<Tensor>& velocities() const { return velocities_; }
  /// One entry per parameter. Empty where gradients are not accumulated.
  [[nodiscard]] const std::vector<Tensor>& accumulators() const { return accumulators_; }
  [[nodiscard]] const std::shared_ptr<Layer>& layer(std::size_t module) const {
    return layers_.at(module - range_.first);
  }
  [[nodiscard]] const Tensor& x() const { return x_; }
  /// The labels of a micro-batch. Only the last stage has them, and the loss.
  [[nodiscard]] const Tensor& labels() const { return labels_; }
  /// The loss of a micro-batch. The forward pass writes it.
  [[nodiscard]] const Tensor& loss() const { return loss_; }

 private:
  /// What the backward pass of a relu reads.
  struct Rectified {
    Tensor in;
    Tensor out;
    Tensor storage;  ///< of the result
  };

  [[nodiscard]] const Module& module(std::size_t m) const { return network_.modules.at(m); }
  [[nodiscard]] bool isFirst() const { return range_.first == 0; }
  [[nodiscard]] bool isLast() const { return range_.last == network_.modules.size(); }
  [[nodiscard]] LayerSite siteOf(const std::string& name) const;
  Tensor addBoundary(const std::string& name, std::uint64_t width);
  void addLayer(std::size_t m);
  void addState();
  Tensor layerForward(std::size_t m, const Tensor& in, Program& program);
  Tensor reluForward(std::size_t m, const Tensor& in, Program& program);
  Tensor layerBackward(std::size_t m, const Tensor& gradient, Program& program);
  Tensor reluBackward(std::size_t m, const Tensor& gradient, Program& program);
  void accumulate(Program& program);
  [[nodiscard]] std::vector<Tensor> arrangedGradients(Program& program);
  Tensor addGradientSum(const SharedTensors& shared, Program& program);
  void addShardedUpdate(Program& program);

  Graph& graph_;
  const Architecture& machine_;
  const Network network_;
  ModuleRange range_;
  StageSharing sharing_;
  std::vector<std::shared_ptr<Layer>> layers_;  ///< one entry per module, null where it is none
  std::vector<std::optional<Tensor>> wrapper_biases_;  ///< one entry per module
  std::vector<Rectified> rectified_;                   ///< one entry per module
  std::vector<Tensor> results_;  ///< one entry per module, of the forward pass
  std::vector<std::vector<Tensor>> module_gradients_;  ///< one entry per module
  std::vector<Parameter> parameters_;
  std::vector<Tensor> velocities_;
  std::vector<Tensor> gradients_;  ///< one entry per parameter
  std::vector<Tensor> accumulators_;
  Tensor x_;
  Tensor labels_;
  Tensor loss_;
  Tensor gradient_;  ///< of the result, from the loss or the next stage
};

}  // namespace ipusim::workloads
