// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
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
  /// The type of all floating-point tensors. None: each as the file has it.
  std::optional<ElementType> real_type = std::nullopt;
};

/// What became of the nodes of one operator.
struct OnnxOperatorCount {
  std::size_t run = 0;       ///< nodes that are part of the network
  std::size_t computed = 0;  ///< nodes that were computed while the file was read
};

/// The forward pass of a model.
struct OnnxNetwork {
  NetworkGraph graph;
  std::vector<NetworkTensorId> results;  ///< the outputs that nodes make, in their order
  std::vector<std::string> warnings = {};
  std::uint64_t samples = 1;  ///< the first dimension of the first input
  bool takes_batch = false;   ///< whether OnnxOptions::batch is a size of an input
  std::map<std::string, OnnxOperatorCount> operators = {};
};

/// A node that no operation stands for, or whose operands it cannot take.
class OnnxError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The names of all operators that have steps on tiles, sorted.
std::vector<std::string> onnxOperators();

/// Makes the network of a model. Nodes that depend on numbers of the file and on shapes alone are
/// computed. Float initialisers with dimensions become parameters. Throws OnnxError, which names
/// all unknown operators.
OnnxNetwork importOnnx(const OnnxModel& model, const OnnxOptions& options);

struct OnnxScan;

/// Reads the nodes of a model one after the other.
class OnnxImport {
 public:
  OnnxImport(const OnnxModel& model, OnnxOptions options);

  OnnxNetwork run();

 private:
  friend class OnnxSite;

  /// A value of the file: a tensor of the network, numbers, or both.
  struct Value {
    std::int32_t type = onnx::TensorProto::FLOAT;  ///< an onnx::TensorProto::DataType
    Shape shape;
    std::optional<NetworkTensorId> tensor = std::nullopt;
    std::shared_ptr<const OnnxArray> numbers = nullptr;
    bool is_source = false;   ///< of the file, or computed while it is read
    bool is_weight = false;   ///< a source that training may learn
    bool is_stored = false;   ///< has the type of the file; others may have any that tiles hold
    bool is_unknown = false;  ///< depends on a node that could not be read
  };
  /// Names of a part that is inlined, by the names inside it.
  using Names = std::map<std::string, std::string>;
  /// A node, or what it becomes; false where its operator is not known.
  using Attempt = std::function<bool()>;

  // onnx_import.cpp
  void addInputs();
  [[nodiscard]] std::vector<NetworkTensorId> outputs();
  [[nodiscard]] std::uint64_t samples() const;
  void expectUsedDimensions() const;
  void expectAllRead() const;
  [[nodiscard]] Shape shapeOf(const onnx::ValueInfoProto& value, const std::string& what);
  [[nodiscard]] std::optional<TensorType> declaredType(const std::string& value);

  // onnx_values.cpp
  void addInitialiser(const std::string& name, const OnnxTensor& tensor);
  void keepNumbers(const std::string& name, OnnxArray numbers, bool is_weight = false);
  [[nodiscard]] const std::string& resolved(const std::string& name) const;
  [[nodiscard]] Value& valueOf(const std::string& name);
  [[nodiscard]] NetworkTensorId tensorOf(const std::string& name,
                                         TensorRole initialiser = TensorRole::Parameter);
  [[nodiscard]] ElementType elementType(std::int32_t type) const;

  // onnx_nodes.cpp
  void addNode(const onnx::NodeProto& node);
  bool tryNode(const onnx::NodeProto& node, const std::string& name);
  /// Adds a node of a known operator. Folds it where `add` is null.
  void addOrFold(const onnx::NodeProto& node, const std::string& name, const AddOnnxNode* add);
  [[nodiscard]] bool isBehindUnknown(const onnx::NodeProto& node);
  void markUnknown(const onnx::NodeProto& node);
  void addConstant(const onnx::NodeProto& node);
  void addShape(const onnx::NodeProto& node);
  void addKnown(const onnx::NodeProto& node, const std::string& name, const AddOnnxNode& add);
  void addSkipped(const onnx::NodeProto& node, const std::string& name);
  [[nodiscard]] std::string nameOf(const onnx::NodeProto& node);

  // onnx_folding.cpp
  bool fold(const onnx::NodeProto& node, const std::string& name, const AddOnnxNode* add);
  void foldExactly(const onnx::NodeProto& node, std::int64_t opset);
  void foldByNetwork(const onnx::NodeProto& node, const OnnxSite& site, const AddOnnxNode& add,
                     bool is_weight);
  [[nodiscard]] bool isFoldable(const onnx::NodeProto& node);

  // onnx_inlining.cpp
  bool tryInlining(const onnx::NodeProto& node, const std::string& name);
  void inlineFunction(const onnx::NodeProto& node, const onnx::FunctionProto& function,
                      const std::string& name);
  void inlineBranch(const onnx::NodeProto& node);
  void inlineLoop(const onnx::NodeProto& node, const std::string& name);
  void inlineScan(const onnx::NodeProto& node, const std::string& name);
  OnnxScan scanOf(const onnx::NodeProto& node);
  /// Adds the slices of all sequences that a round reads, and their names.
  void addSlices(const OnnxScan& scan, std::uint64_t round, const std::string& prefix,
                 Names& names);
  /// A number or a condition of a loop. Throws where each run computes it.
  [[nodiscard]] std::int64_t numberOfRounds(const std::string& value);
  /// The length of a sequence to scan. Throws where it is too long.
  [[nodiscard]] std::uint64_t scanRounds(const std::string& sequence, std::int64_t axis);
  /// Makes one number a value of the file.
  void keepNumber(const std::string& name, std::int32_t type, std::int64_t value);
  /// The names of what the body of a Loop is given in a round, by the names inside it.
  Names namesOfRound(const onnx::GraphProto& body, const std::vector<std::string>& values,
                     const std::string& prefix, std::int64_t round);
  /// Adds a node for one slice of a sequence, and returns its name.
  std::string addSlice(const std::string& sequence, std::uint64_t at, std::int64_t axis,
                       const std::string& prefix);
  /// Makes the rows of all rounds one result of a node.
  void joinRows(const onnx::NodeProto& node, std::size_t output,
                const std::vector<std::string>& rows, std::int64_t axis, const std::string& name);
  /// Adds the nodes of a graph, its names changed by `names` or else with `prefix`. Returns the
  /// names of its outputs.
  std::vector<std::string> inlineGraph(const onnx::GraphProto& graph, Names names,
                                       const std::string& prefix);
  void alias(const std::string& name, const std::string& of);
  void addMade(const char* type, const std::vector<std::string>& operands,
               const std::string& result, std::int64_t axis, const std::string& name);

  const OnnxModel& model_;
  OnnxOptions options_;
  NetworkGraph graph_;
  std::vector<std::string> warnings_;
  NetworkGraph folded_;  ///< of the node that is being computed
  bool is_folding_ = false;
  std::unordered_map<std::size_t, TensorValues> folded_numbers_;
  std::unordered_map<std::string, Value> values_;
  std::unordered_map<std::string, std::string> aliases_;
  std::unordered_map<std::string, std::size_t> readers_;  ///< nodes that read a value
  std::map<std::string, AddOnnxNode> operators_;
  std::map<std::string, OnnxOperatorCount> counts_;
  std::set<std::string> used_dimensions_;  ///< of the options
  std::set<std::string> batch_symbols_;    ///< first dimensions of inputs, without other sizes
  bool takes_batch_ = false;
  std::int64_t opset_ = 0;  ///< of the nodes that are being read
  std::size_t depth_ = 0;   ///< of parts that are being inlined
  std::uint64_t folded_elements_ = 0;
  /// Operators that are not known, and the names of their nodes.
  std::map<std::string, std::vector<std::string>> unknown_;
  std::string first_failure_;  ///< of a node of a known operator
  std::unordered_map<std::string, std::size_t> uses_{{"loss", 1}};  ///< of a node's name; training
                                                                    ///< adds a loss
};

}  // namespace ipusim::workloads
