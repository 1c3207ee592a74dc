// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "workloads/networks/network.h"
#include "workloads/networks/parameter_update.h"

namespace ipusim::workloads {

/// A stage of modules that follow each other. `graph` must outlive all that uses this.
class TrainingStage final : public Stage {
 public:
  TrainingStage(Graph& graph, const Architecture& machine, const Network& network,
                ModuleRange range, const StageSharing& sharing);

  void addForward(Program& program) override;
  void addBackward(Program& program) override;
  void addUpdate(Program& program) override;

  /// In the order of the modules.
  [[nodiscard]] const std::vector<Parameter>& parameters() const override {
    return update_->parameters();
  }
  /// One velocity per parameter. Where the optimiser state is sharded, that of the share.
  [[nodiscard]] const std::vector<Tensor>& states() const override { return update_->states(); }
  [[nodiscard]] const std::vector<Tensor>& accumulators() const override {
    return update_->accumulators();
  }
  [[nodiscard]] std::vector<Tensor> inputs() const override { return {x_}; }
  /// The backward pass of a layer reads the input; that of a relu reads its result.
  [[nodiscard]] std::vector<Tensor> inputsOfBackward() const override;
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
  std::optional<ParameterUpdate> update_;
  Tensor x_;
  Tensor labels_;
  Tensor loss_;
  Tensor gradient_;  ///< of the result, from the loss or the next stage
};

/// A network of modules as one that may be cut.
TrainedNetworkPointer trainedNetwork(Network network);

}  // namespace ipusim::workloads
