// SPDX-License-Identifier: Apache-2.0
#include "ipusim/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "ipusim/error.h"
#include "workloads/graph/copy_moves.h"
#include "workloads/graph/fixed_control.h"

namespace ipusim {

namespace {

using Piece = Tensor::Piece;

Flops flopsOf(const ComputeSet& compute_set) {
  Flops flops;
  for (const VertexFamily& family : compute_set.families) {
    flops += family.count * family.type->work.flops;
  }
  return flops;
}

/// The floating-point work of a step.
class FlopCounter : public FixedControl<Flops> {
 public:
  explicit FlopCounter(const Graph& graph) : FixedControl(graph) {
    for (const ComputeSet& compute_set : graph.computeSets()) {
      of_set_.push_back(flopsOf(compute_set));
    }
  }

  using FixedControl::operator();
  Flops operator()(const Sequence& sequence) const {
    Flops flops;
    for (const Program& step : sequence.steps) flops += walk(step, *this);
    return flops;
  }
  Flops operator()(const Execute& step) const { return of_set_.at(indexOf(step.compute_set)); }
  Flops operator()(const Repeat& step) const { return (*this)(step.body) * step.count; }
  Flops operator()(const Call& step) const { return walk(graph().function(step.function), *this); }
  Flops operator()(const Copy& /*step*/) const { return {}; }
  Flops operator()(const Stream& /*step*/) const { return {}; }
  Flops operator()(const Remote& /*step*/) const { return {}; }
  Flops operator()(const WriteUndef& /*step*/) const { return {}; }
  Flops operator()(const Overlap& step) const { return (*this)(step.body); }

 private:
  std::vector<Flops> of_set_;
};

void addMoves(const CopyPair& pair, CopyStep& step) {
  const CopyMoves all(pair);
  if (all.areMany()) {
    step.large.push_back({step.moves.size(), pair});
    return;
  }
  std::vector<MoveRun> runs;
  for (std::size_t target = 0; target < pair.to.pieces().size(); ++target) all.add(target, runs);
  for (MoveRun& run : runs) {
    const bool is_after_large =
        !step.large.empty() && step.large.back().before == step.moves.size();
    if (run.count == 1 && !is_after_large) {
      appendMove(step.moves, std::move(run.first));
    } else {
      step.moves.push_back(std::move(run));
    }
  }
}

}  // namespace

Tensor Graph::addVariable(ElementType type, const Shape& shape, const std::string& name,
                          Lifetime lifetime) {
  const auto id = static_cast<VariableId>(variables_.size());
  variables_.push_back({name, type, elementsOf(shape), lifetime, {}, {}, shape});
  return Tensor(id, type, shape);
}

Tensor Graph::addConstant(ElementType type, const Shape& shape, double value,
                          const std::string& name) {
  return addConstant(
      type, shape, [value](std::uint64_t) { return value; }, name);
}

Tensor Graph::addConstant(ElementType type, const Shape& shape, std::vector<double> values,
                          const std::string& name) {
  if (values.size() != elementsOf(shape)) {
    throw GraphError(
        fmt::format("constant {}: wanted a value for each of its {} elements, found {}", name,
                    elementsOf(shape), values.size()));
  }
  const auto shared = std::make_shared<const std::vector<double>>(std::move(values));
  return addConstant(
      type, shape, [shared](std::uint64_t e) { return (*shared)[e]; }, name);
}

Tensor Graph::addConstant(ElementType type, const Shape& shape, ConstantValues values,
                          const std::string& name) {
  Tensor constant = addVariable(type, shape, name, Lifetime::Always);
  variables_.back().constant = std::move(values);
  return constant;
}

void Graph::setShape(const Tensor& storage, Shape shape) {
  const std::vector<Piece>& pieces = storage.pieces();
  const bool is_one =
      !pieces.empty() && std::all_of(pieces.begin(), pieces.end(), [&](const Piece& piece) {
        return piece.variable == pieces.front().variable;
      });
  if (!is_one) throw GraphError("wanted a tensor in one variable to set its shape");
  Variable& variable = variables_.at(indexOf(pieces.front().variable));
  if (elementsOf(shape) > variable.elements) {
    throw GraphError(fmt::format("variable {}: wanted a shape of at most {} elements, found {}",
                                 variable.name, variable.elements, textOf(shape)));
  }
  variable.shape = std::move(shape);
}

void Graph::setTileMapping(const Tensor& tensor, TileId tile) {
  for (const Section& section : tensor.view()) setTileMapping(section, tile);
}

void Graph::setTileMapping(const Section& section, TileId tile) {
  if (!section.isRun()) {
    throw GraphError(fmt::format("variable {}: wanted consecutive elements to map to tile {}",
                                 variable(section.variable).name, tile.tile()));
  }
  variables_.at(indexOf(section.variable)).mapping.set(section.begin(), section.end(), tile);
}

void Graph::mapLinearly(const Tensor& tensor, const Architecture& machine, Bytes grain_bytes) {
  const View view = tensor.view();
  Variable& variable = variables_.at(indexOf(view.at(0).variable));
  if (view.size() != 1 || tensor.elements() != variable.elements) {
    throw GraphError(
        fmt::format("variable {}: wanted the whole of it to spread over the tiles", variable.name));
  }
  const std::uint64_t grain =
      std::max<std::uint64_t>(1, grain_bytes.value() / sizeOf(variable.type).value());
  const std::uint64_t grains = ceilDiv(variable.elements, grain);
  const std::uint64_t used = std::min<std::uint64_t>(machine.tiles, grains);
  for (std::uint64_t t = 0; t < used; ++t) {
    const std::uint64_t begin = checkedProduct(t, grains) / used * grain;
    const std::uint64_t end =
        std::min(variable.elements, checkedProduct(t + 1, grains) / used * grain);
    const TileId tile(static_cast<std::uint32_t>((next_linear_tile_ + t) % machine.tiles));
    variable.mapping.set(begin, end, tile);
  }
  next_linear_tile_ = static_cast<std::uint32_t>((next_linear_tile_ + used) % machine.tiles);
}

ComputeSetId Graph::addComputeSet(const std::string& name) {
  compute_sets_.push_back({name, {}});
  return static_cast<ComputeSetId>(compute_sets_.size() - 1);
}

void Graph::addVertices(ComputeSetId compute_set, VertexFamily family) {
  const std::vector<Field>& fields = family.type->fields;
  const auto fault = [&](const std::string& what) {
    return GraphError(fmt::format("vertex {} of compute set {} on tile {}: {}", family.type->name,
                                  compute_sets_.at(indexOf(compute_set)).name, family.tile.tile(),
                                  what));
  };
  if (family.fields.size() != fields.size()) {
    throw fault(fmt::format("wanted {} fields, found {}", fields.size(), family.fields.size()));
  }
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const std::uint64_t found = elementsOf(family.fields[f].view);
    if (found == fields[f].elements()) continue;
    throw fault(fmt::format("field {}: wanted {} elements, found {}", fields[f].name,
                            fields[f].elements(), found));
  }
  if (family.count == 0) return;
  family.fields.shrink_to_fit();  // graphs have millions of families
  compute_sets_.at(indexOf(compute_set)).families.push_back(std::move(family));
}

namespace {

/// The distance from vertex 0 of `data` to `next` when both walk one variable alike. None for any
/// other data.
std::optional<std::uint64_t> distance(const Connection& data, const Connection& next) {
  if (data.view.size() != 1 || next.view.size() != 1) return std::nullopt;
  const Section& first = data.view.front();
  const Section& section = next.view.front();
  if (first.variable != section.variable || section.begin() < first.begin() ||
      !(first.walk.levels == section.walk.levels)) {
    return std::nullopt;
  }
  return section.begin() - first.begin();
}

/// Adds `vertex` to `family` where it is the next vertex of the family.
bool join(const VertexFamily& vertex, VertexFamily& family) {
  if (family.type != vertex.type || family.tile != vertex.tile) return false;
  if (family.count > 1 && !family.apart) return false;
  for (std::size_t f = 0; f < vertex.fields.size(); ++f) {
    const auto far = distance(family.fields[f], vertex.fields[f]);
    if (!far || (family.count > 1 && *far != family.fields[f].step * family.count)) return false;
  }
  for (std::size_t f = 0; family.count == 1 && f < vertex.fields.size(); ++f) {
    family.fields[f].step = *distance(family.fields[f], vertex.fields[f]);
  }
  family.apart = true;
  ++family.count;
  return true;
}

}  // namespace

void Graph::addVertex(ComputeSetId compute_set, VertexFamily vertex) {
  std::vector<VertexFamily>& families = compute_sets_.at(indexOf(compute_set)).families;
  if (!families.empty() && join(vertex, families.back())) return;
  addVertices(compute_set, std::move(vertex));
}

Program Graph::copy(const Tensor& from, const Tensor& to, const std::string& name) {
  return copy({{from, to}}, name);
}

Program Graph::copy(const std::vector<CopyPair>& pairs, const std::string& name) {
  CopyStep step{name, {}, {}};
  for (const CopyPair& pair : pairs) {
    if (pair.from.shape() != pair.to.shape()) {
      throw GraphError(fmt::format("copy {}: wanted tensors of one shape, found {} and {}", name,
                                   textOf(pair.from.shape()), textOf(pair.to.shape())));
    }
    addMoves(pair, step);
  }
  step.moves.shrink_to_fit();  // millions of runs may wait to be lowered
  copies_.push_back(std::move(step));
  return {Copy{static_cast<CopyId>(copies_.size() - 1)}};
}

Program Graph::copy(std::vector<MoveRun> moves, const std::string& name) {
  moves.shrink_to_fit();
  copies_.push_back({name, std::move(moves), {}});
  return {Copy{static_cast<CopyId>(copies_.size() - 1)}};
}

Program Graph::stream(const std::string& name, const std::vector<Tensor>& tensors,
                      HostDirection direction, HostPath path) {
  HostStream stream{name, direction, path, Bytes(0), {}};
  std::set<VariableId> variables;
  for (const Tensor& tensor : tensors) {
    stream.bytes += sizeOf(tensor.type()) * tensor.elements();
    for (const Piece& piece : tensor.pieces()) variables.insert(piece.variable);
  }
  stream.variables.assign(variables.begin(), variables.end());
  return this->stream(std::move(stream));
}

Program Graph::stream(HostStream stream) {
  streams_.push_back(std::move(stream));
  return {Stream{static_cast<StreamId>(streams_.size() - 1)}};
}

RemoteBufferId Graph::addRemoteBuffer(ElementType type, std::uint64_t row_elements,
                                      std::uint64_t rows, const std::string& name) {
  if (row_elements == 0 || rows == 0) {
    throw GraphError(fmt::format("remote buffer {}: wanted rows with elements, found {} rows of {}",
                                 name, rows, row_elements));
  }
  remote_buffers_.push_back({name, type, row_elements, rows});
  return static_cast<RemoteBufferId>(remote_buffers_.size() - 1);
}

Program Graph::load(RemoteBufferId buffer, std::uint64_t row, const Tensor& to,
                    const std::string& name) {
  return remoteCopy({name, RemoteDirection::Load, buffer, row, to});
}

Program Graph::load(RemoteBufferId buffer, const Tensor& row, const Tensor& to,
                    const std::string& name) {
  return remoteCopy({name, RemoteDirection::Load, buffer, row, to});
}

Program Graph::store(const Tensor& from, RemoteBufferId buffer, std::uint64_t row,
                     const std::string& name) {
  return remoteCopy({name, RemoteDirection::Store, buffer, row, from});
}

Program Graph::store(const Tensor& from, RemoteBufferId buffer, const Tensor& row,
                     const std::string& name) {
  return remoteCopy({name, RemoteDirection::Store, buffer, row, from});
}

Program Graph::remoteCopy(RemoteCopy copy) {
  const RemoteBuffer& buffer = remoteBuffer(copy.buffer);
  const auto fault = [&](const std::string& wanted, const std::string& found) {
    return GraphError(fmt::format("remote copy {}: wanted {}, found {}", copy.name, wanted, found));
  };
  if (copy.tensor.elements() != buffer.row_elements || copy.tensor.type() != buffer.type) {
    throw fault(fmt::format("{} {} elements, a row of {}", buffer.row_elements, nameOf(buffer.type),
                            buffer.name),
                fmt::format("{} {} elements", copy.tensor.elements(), nameOf(copy.tensor.type())));
  }
  for (const Tensor::Piece& piece : copy.tensor.pieces()) {
    const Variable& found = variable(piece.variable);
    if (found.type == buffer.type) continue;
    throw fault(fmt::format("variables of {}", nameOf(buffer.type)),
                fmt::format("variable {} of {}", found.name, nameOf(found.type)));
  }
  if (const auto* const row = std::get_if<std::uint64_t>(&copy.row)) {
    if (*row >= buffer.rows) {
      throw fault(fmt::format("a row of {} below {}", buffer.name, buffer.rows),
                  std::to_string(*row));
    }
  } else {
    const Tensor& offset = std::get<Tensor>(copy.row);
    const bool is_whole =
        offset.type() == ElementType::Int32 || offset.type() == ElementType::UInt32;
    if (!is_whole || offset.elements() != 1) {
      throw fault("one whole number for its row",
                  fmt::format("{} {} elements", offset.elements(), nameOf(offset.type())));
    }
  }
  remote_copies_.push_back(std::move(copy));
  return {Remote{static_cast<RemoteCopyId>(remote_copies_.size() - 1)}};
}

void Graph::setIoTiles(std::vector<TileId> tiles) {
  std::sort(tiles.begin(), tiles.end());
  tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
  io_tiles_ = std::move(tiles);
}

FunctionId Graph::addFunction(Program body) {
  functions_.push_back(std::move(body));
  return static_cast<FunctionId>(functions_.size() - 1);
}

void Graph::releaseSteps() {
  for (std::size_t s = 0; s < compute_sets_.size(); ++s) release(ComputeSetId(s));
  for (std::size_t c = 0; c < copies_.size(); ++c) release(CopyId(c));
}

// An empty list in braces would clear a vector and keep its memory.

void Graph::release(ComputeSetId compute_set) {
  compute_sets_.at(indexOf(compute_set)).families = std::vector<VertexFamily>();
}

void Graph::release(CopyId copy) {
  CopyStep& step = copies_.at(indexOf(copy));
  step.moves = std::vector<MoveRun>();
  step.large = std::vector<LargeCopyPair>();
}

Flops Graph::flops(const Program& program) const {
  return walk(program, FlopCounter(*this));
}

std::string nameOf(const Tensor& tensor, const Graph& graph) {
  if (tensor.pieces().empty()) throw GraphError("a tensor of no variable");
  return "variable " + graph.variable(tensor.pieces().front().variable).name;
}

}  // namespace ipusim
