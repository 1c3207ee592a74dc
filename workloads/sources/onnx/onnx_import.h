// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "workloads/networks/graph/network_graph.h"
#include "workloads/sources/onnx/onnx_model.h"
#include "workloads/sources/onnx/onnx_site.h"

namespace ipusim::workloads {

/// How a model is read.
struct OnnxOptions {
  std::map<std::string, std::uint64_t> dimensions;  ///< sizes of symbolic dimensions
  std::uint64_t batch = 1;  ///< of a first dimension that is symbolic and not among them
  bool is_training = false;
  bool skips_unknown = false;  ///< an unknown operator takes no time instead of being an error
};

/// The forward pass of a model.
struct OnnxNetwork {
  NetworkGraph graph;
  std::vector<NetworkTensorId> results;  ///< the outputs that nodes make, in their order
  std::vector<std::string> warnings = {};
  std::uint64_t samples = 1;  ///< the first dimension of the first input
  bool takes_batch = false;   ///< whether OnnxOptions::batch is a size of an input
};

/// A node that no operation stands for, or whose operands it cannot take.
class OnnxError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The names of all operators that are read, sorted.
std::vector<std::string> onnxOperators();

/// Makes the network of a model. Nodes whose operands are all constants are computed. Float
/// initialisers with dimensions become parameters. Throws OnnxError.
OnnxNetwork importOnnx(const OnnxModel& model, const OnnxOptions& options);

/// Reads the nodes of a model one after the other.
class OnnxImport {
 public:
  OnnxImport(const OnnxModel& model, const OnnxOptions& options);

  OnnxNetwork run();

 private:
  friend class OnnxSite;

  /// A value of the file: a tensor of the network, numbers, or both.
  struct Value {
    TensorType type;
    std::optional<NetworkTensorId> tensor;
    std::optional<TensorValues> numbers;
    bool is_integer = false;
    bool is_initialiser = false;
    std::int32_t stored = 0;  ///< OnnxTensor::stored
  };

  void addInputs();
  [[nodiscard]] std::vector<NetworkTensorId> outputs();
  [[nodiscard]] std::uint64_t samples() const;
  void expectUsedDimensions() const;
  void addNode(const onnx::NodeProto& node);
  void keepNumbers(const std::string& name, OnnxTensor tensor);
  void addConstant(const onnx::NodeProto& node);
  void addShape(const onnx::NodeProto& node);
  void addKnown(const onnx::NodeProto& node, const OnnxSite& site, AddOnnxNode add);
  void addSkipped(const onnx::NodeProto& node, const std::string& name);
  [[nodiscard]] std::optional<TensorType> declaredType(const std::string& value);
  [[nodiscard]] bool isFoldable(const onnx::NodeProto& node) const;
  bool fold(const onnx::NodeProto& node, const OnnxSite& site, AddOnnxNode add);
  [[nodiscard]] Value& valueOf(const std::string& name);
  [[nodiscard]] NetworkTensorId tensorOf(const std::string& name,
                                         TensorRole initialiser = TensorRole::Parameter);
  [[nodiscard]] Shape shapeOf(const onnx::ValueInfoProto& value, const std::string& what);
  [[nodiscard]] std::string nameOf(const onnx::NodeProto& node);

  const OnnxModel& model_;
  OnnxOptions options_;
  NetworkGraph graph_;
  std::vector<std::string> warnings_;
  NetworkGraph folded_;  ///< of the node that is being computed
  bool is_folding_ = false;
  std::unordered_map<std::size_t, TensorValues> folded_numbers_;
  std::unordered_map<std::string, Value> values_;
  std::map<std::string, AddOnnxNode> operators_;
  std::set<std::string> layers_;           ///< operators that are never computed
  std::set<std::string> used_dimensions_;  ///< of the options
  std::set<std::string> batch_symbols_;    ///< first dimensions of inputs, without other sizes
  bool takes_batch_ = false;
  std::unordered_map<std::string, std::size_t> uses_{{"loss", 1}};  ///< of a node's name; training
                                                                    ///< adds a loss
};

}  // namespace ipusim::workloads
