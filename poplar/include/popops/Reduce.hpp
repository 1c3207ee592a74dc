// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "poplar/OptionFlags.hpp"
#include "popops/Operation.hpp"
#include "popops/detail/elementwise.hpp"

namespace popops {

struct ReduceParams {
  ReduceParams(Operation operation = Operation::ADD, bool is_update = false)
      : op(operation), update(is_update) {}
  ReduceParams(Operation operation, bool is_update, const poplar::Tensor& factor)
      : op(operation), update(is_update), scale(factor), use_scale(true) {}

  Operation op;
  bool update;           ///< the result is added to the output; for ADD and SQUARE_ADD
  poplar::Tensor scale;  ///< a factor of the result, one element
  bool use_scale = false;
};

/// One of the reductions of reduceMany().
struct SingleReduceOp {
  SingleReduceOp(const poplar::Tensor& input, const std::vector<std::size_t>& dimensions,
                 const ReduceParams& parameters, const poplar::DebugContext& = {})
      : in(input), dims(dimensions), params(parameters), type(input.elementType()) {}
  SingleReduceOp(const poplar::Tensor& input, const std::vector<std::size_t>& dimensions,
                 const ReduceParams& parameters, const poplar::Type& result,
                 const poplar::DebugContext& = {})
      : in(input), dims(dimensions), params(parameters), type(result) {}

  poplar::Tensor in;
  std::vector<std::size_t> dims;
  ReduceParams params;
  poplar::Type type;
};

namespace detail {

/// The name of a reduction.
inline std::string reductionName(Operation op) {
  switch (op) {
    case Operation::ADD:
      return "add";
    case Operation::MUL:
      return "multiply";
    case Operation::SQUARE_ADD:
      return "square_add";
    case Operation::MAX:
      return "maximum";
    case Operation::MIN:
      return "minimum";
    case Operation::LOGICAL_AND:
      return "logical_and";
    case Operation::LOGICAL_OR:
      return "logical_or";
    default:
      throw poputil::poplibs_error("reduce: wanted another operation than LOG_ADD");
  }
}

/// Compute sets that run one after the other. Several operations may share them: stage i of each is
/// in the same one.
class Stages {
 public:
  /// Adds to `compute_sets`, behind those that are there.
  Stages(poplar::Graph& graph, std::vector<poplar::ComputeSet>& compute_sets,
         const poplar::DebugContext& name)
      : graph_(graph), compute_sets_(compute_sets), name_(name), first_(compute_sets.size()) {}

  poplar::Graph& graph() { return graph_; }
  const poplar::DebugContext& name() const { return name_; }

  std::uint32_t at(std::size_t stage) {
    while (compute_sets_.size() <= first_ + stage) {
      compute_sets_.push_back(graph_.addComputeSet(name_));
    }
    return compute_sets_[first_ + stage].getId();
  }

 private:
  poplar::Graph& graph_;
  std::vector<poplar::ComputeSet>& compute_sets_;
  const poplar::DebugContext& name_;
  std::size_t first_;
};

/// Throws unless the dimensions are there, each of them once.
inline void checkReduced(const poplar::Tensor& in, const std::vector<std::size_t>& dims) {
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const auto before = dims.begin() + static_cast<std::ptrdiff_t>(i);
    const bool is_repeated = std::find(dims.begin(), before, dims[i]) != before;
    if (dims[i] < in.rank() && !is_repeated) continue;
    throw poputil::poplibs_error("reduce: wanted dimensions of " + in.shapeToString() +
                                 ", each once, found " + std::to_string(dims[i]) +
                                 (is_repeated ? " twice" : ""));
  }
}

/// A view of (kept, reduced): the dimensions that stay are joined to the first one, and those in
/// `dims` to the second.
inline poplar::Tensor keptAndReduced(const poplar::Tensor& in,
                                     const std::vector<std::size_t>& dims) {
  std::vector<unsigned> order;
  std::vector<unsigned> last;
  std::size_t kept = 1;
  for (unsigned d = 0; d < in.rank(); ++d) {
    const bool is_reduced = std::find(dims.begin(), dims.end(), d) != dims.end();
    (is_reduced ? last : order).push_back(d);
    if (!is_reduced) kept *= in.dim(d);
  }
  order.insert(order.end(), last.begin(), last.end());
  return in.dimShuffle(order).reshape({kept, kept == 0 ? 0 : in.numElements() / kept});
}

/// What a reduction of no element gives, in C++ for a vertex.
inline std::string identityOf(const std::string& op, const poplar::Type& type) {
  if (op == "add" || op == "square_add") return "0";
  if (op == "multiply") return "1";
  if (op == "logical_and") return "true";
  if (op == "logical_or") return "false";
  const bool is_least = op == "maximum";
  if (type == poplar::FLOAT || type == poplar::HALF) {
    return is_least ? "-__builtin_inff()" : "__builtin_inff()";
  }
  return "std::numeric_limits<" + type.toString() + (is_least ? ">::lowest()" : ">::max()");
}

/// Adds a vertex for each row of `in`, (kept, reduced), to a stage.
inline void addRowStage(Stages& stages, std::size_t stage, const std::string& op,
                        const poplar::Tensor& in, const poplar::Tensor& out) {
  const poplar::detail::RowReduction rows{poplar::detail::textOf(poplar::StringRef(op)), in.data(),
                                          in.dim(1)};
  poplar::detail::addReduction(stages.graph().data(), stages.at(stage), rows, out.data());
}

/// Fills `out` with what a reduction of no element gives, in the first stage.
inline void fillWithIdentity(Stages& stages, const std::string& op, const poplar::Tensor& out) {
  const std::string value = roundedTo(out.elementType(), identityOf(op, out.elementType()));
  poplar::detail::addMap(stages.graph().data(), stages.at(0),
                         poplar::detail::textOf(poplar::StringRef(value)), {nullptr, 0},
                         out.data());
}

/// How many parts of a row are reduced on their own: all rows together have no more than there are
/// tiles, unless each is one part.
inline std::size_t partsOfRow(const poplar::Graph& graph, const poplar::Tensor& rows) {
  const std::size_t least = 32;  // elements of a part that are worth a vertex
  const std::size_t tiles = graph.getTarget().getNumTiles();
  const std::size_t kept = std::max<std::size_t>(rows.dim(0), 1);
  return std::max<std::size_t>(1, std::min(tiles / kept, rows.dim(1) / least));
}

/// The results of the parts of `rows`, (kept, parts), each made in the first stage where the part
/// begins.
inline poplar::Tensor reducedParts(Stages& stages, const std::string& op,
                                   const poplar::Tensor& rows, std::size_t parts,
                                   const poplar::Type& type) {
  poplar::Graph& graph = stages.graph();
  const poplar::Tensor partials = graph.addVariable(type, {rows.dim(0), parts}, stages.name());
  for (std::size_t row = 0; row < rows.dim(0); ++row) {
    for (std::size_t part = 0; part < parts; ++part) {
      const poplar::Tensor piece =
          rows[row].slice(part * rows.dim(1) / parts, (part + 1) * rows.dim(1) / parts);
      const poplar::Tensor result = partials[row].slice(part, part + 1);
      graph.setTileMapping(result, poplar::detail::firstTileOf(graph.data(), piece.data()));
      addRowStage(stages, 0, op, piece.expand({0}), result);
    }
  }
  return partials;
}

/// Reduces `rows`, (kept, reduced), to `out`. Long rows take two stages: the first one reduces
/// parts where their elements are, the second one reduces the results. Returns the number of
/// stages.
inline std::size_t reduceRows(Stages& stages, const std::string& op, const poplar::Tensor& rows,
                              const poplar::Tensor& out) {
  if (rows.dim(1) == 0 && rows.dim(0) > 0) {
    fillWithIdentity(stages, op, out);
    return 1;
  }
  const std::size_t parts = partsOfRow(stages.graph(), rows);
  if (parts < 2) {
    addRowStage(stages, 0, op, rows, out);
    return 1;
  }
  const poplar::Tensor partials = reducedParts(stages, op, rows, parts, out.elementType());
  addRowStage(stages, 1, op == "square_add" ? "add" : op, partials, out);
  return 2;
}

/// Adds the stages of a reduction, then the scale and the update that `params` ask for.
inline void addReduction(Stages& stages, const poplar::Tensor& in, const poplar::Tensor& out,
                         const std::vector<std::size_t>& dims, const ReduceParams& params) {
  const std::string op = reductionName(params.op);
  checkReduced(in, dims);
  const poplar::Tensor rows = keptAndReduced(in, dims);
  const poplar::Tensor outputs = out.flatten();
  if (outputs.numElements() != rows.dim(0)) {
    throw poputil::poplibs_error("reduce: wanted an output of " + std::to_string(rows.dim(0)) +
                                 " elements, found " + out.shapeToString());
  }
  if (!params.update && !params.use_scale) {
    reduceRows(stages, op, rows, outputs);
    return;
  }
  if (params.update && op != "add" && op != "square_add") {
    throw poputil::poplibs_error("reduce: wanted ADD or SQUARE_ADD for an update, found another");
  }
  const poplar::Tensor result = stages.graph().clone(outputs, stages.name());
  const std::size_t stage = reduceRows(stages, op, rows, result);
  std::vector<const poplar::detail::TensorData*> operands = {outputs.data(), result.data()};
  std::string value = params.update ? "add(x1, x2)" : "x2";
  if (params.use_scale) {
    operands.push_back(params.scale.data());
    const std::string scaled = "multiply(x2, " + roundedTo(out.elementType(), "x3") + ")";
    value = params.update ? "add(x1, " + scaled + ")" : scaled;
  }
  value = roundedTo(out.elementType(), value);
  poplar::detail::addMap(stages.graph().data(), stages.at(stage),
                         poplar::detail::textOf(poplar::StringRef(value)),
                         {operands.data(), operands.size()}, outputs.data());
}

inline void runAll(const std::vector<poplar::ComputeSet>& compute_sets,
                   poplar::program::Sequence& program) {
  for (const poplar::ComputeSet& each : compute_sets) program.add(poplar::program::Execute(each));
}

inline poplar::Tensor reductionOutput(poplar::Graph& graph, const poplar::Tensor& in,
                                      const poplar::Type& type,
                                      const std::vector<std::size_t>& dims,
                                      const poplar::DebugContext& name) {
  std::vector<std::size_t> shape;
  for (unsigned d = 0; d < in.rank(); ++d) {
    if (std::find(dims.begin(), dims.end(), d) == dims.end()) shape.push_back(in.dim(d));
  }
  return graph.addVariable(type, shape, poplar::VariableMappingMethod::LINEAR, name);
}

}  // namespace detail

/// Reduces dimensions `dims` of `in` to `out`, in compute sets that are added to `compute_sets` and
/// run one after the other.
inline void reduceWithOutput(poplar::Graph& graph, const poplar::Tensor& in,
                             const poplar::Tensor& out, const std::vector<std::size_t>& dims,
                             const ReduceParams& params,
                             std::vector<poplar::ComputeSet>& compute_sets,
                             const poplar::DebugContext& name = "reduce",
                             const poplar::OptionFlags& = {}) {
  detail::Stages stages(graph, compute_sets, name);
  detail::addReduction(stages, in, out, dims, params);
}
inline void reduceWithOutput(poplar::Graph& graph, const poplar::Tensor& in,
                             const poplar::Tensor& out, const std::vector<std::size_t>& dims,
                             const ReduceParams& params, poplar::program::Sequence& program,
                             const poplar::DebugContext& name = "reduce",
                             const poplar::OptionFlags& = {}) {
  std::vector<poplar::ComputeSet> compute_sets;
  reduceWithOutput(graph, in, out, dims, params, compute_sets, name);
  detail::runAll(compute_sets, program);
}

/// The reduction as a new tensor, spread over the tiles.
inline poplar::Tensor reduce(poplar::Graph& graph, const poplar::Tensor& in,
                             const poplar::Type& type, const std::vector<std::size_t>& dims,
                             const ReduceParams& params,
                             std::vector<poplar::ComputeSet>& compute_sets,
                             const poplar::DebugContext& name = "reduce",
                             const poplar::OptionFlags& = {}) {
  const poplar::Tensor out = detail::reductionOutput(graph, in, type, dims, name);
  reduceWithOutput(graph, in, out, dims, params, compute_sets, name);
  return out;
}
inline poplar::Tensor reduce(poplar::Graph& graph, const poplar::Tensor& in,
                             const std::vector<std::size_t>& dims, const ReduceParams& params,
                             std::vector<poplar::ComputeSet>& compute_sets,
                             const poplar::DebugContext& name = "reduce",
                             const poplar::OptionFlags& = {}) {
  return reduce(graph, in, in.elementType(), dims, params, compute_sets, name);
}
inline poplar::Tensor reduce(poplar::Graph& graph, const poplar::Tensor& in,
                             const poplar::Type& type, const std::vector<std::size_t>& dims,
                             const ReduceParams& params, poplar::program::Sequence& program,
                             const poplar::DebugContext& name = "reduce",
                             const poplar::OptionFlags& = {}) {
  const poplar::Tensor out = detail::reductionOutput(graph, in, type, dims, name);
  reduceWithOutput(graph, in, out, dims, params, program, name);
  return out;
}
inline poplar::Tensor reduce(poplar::Graph& graph, const poplar::Tensor& in,
                             const std::vector<std::size_t>& dims, const ReduceParams& params,
                             poplar::program::Sequence& program,
                             const poplar::DebugContext& name = "reduce",
                             const poplar::OptionFlags& = {}) {
  return reduce(graph, in, in.elementType(), dims, params, program, name);
}

/// Several reductions in the same compute sets. Without `outputs` they are made, and put there.
inline void reduceMany(poplar::Graph& graph, const std::vector<SingleReduceOp>& reductions,
                       std::vector<poplar::Tensor>& outputs, poplar::program::Sequence& program,
                       const poplar::DebugContext& name = "reduceMany",
                       const poplar::OptionFlags& = {}) {
  if (!outputs.empty() && outputs.size() != reductions.size()) {
    throw poputil::poplibs_error("reduceMany: wanted an output for each of " +
                                 std::to_string(reductions.size()) + " reductions, found " +
                                 std::to_string(outputs.size()));
  }
  const bool makes_outputs = outputs.empty();
  std::vector<poplar::ComputeSet> compute_sets;
  detail::Stages stages(graph, compute_sets, name);
  for (std::size_t i = 0; i < reductions.size(); ++i) {
    const SingleReduceOp& each = reductions[i];
    if (makes_outputs) {
      outputs.push_back(detail::reductionOutput(graph, each.in, each.type, each.dims, name));
    }
    detail::addReduction(stages, each.in, outputs[i], each.dims, each.params);
  }
  detail::runAll(compute_sets, program);
}

}  // namespace popops
