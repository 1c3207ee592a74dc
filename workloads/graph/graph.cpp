// SPDX-License-Identifier: Apache-2.0
#include "workloads/graph/graph.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "base/error.h"
#include "workloads/graph/piece_index.h"

namespace ipusim::workloads {

namespace {

using Piece = Tensor::Piece;

/// What two pieces of equally shaped tensors have in common, as a move; nothing if they are apart.
std::optional<Move> commonPart(const Piece& from, const Piece& to) {
  Move move{from.variable, to.variable, {{from.offset, to.offset}}};
  for (std::size_t d = 0; d < from.begin.size(); ++d) {
    const std::uint64_t low = std::max(from.begin[d], to.begin[d]);
    const std::uint64_t high = std::min(from.begin[d] + from.extent[d], to.begin[d] + to.extent[d]);
    if (low >= high) return std::nullopt;
    const VariableElements from_stride(from.stride[d]);
    const VariableElements to_stride(to.stride[d]);
    move.walk.begin += {from_stride * (low - from.begin[d]), to_stride * (low - to.begin[d])};
    move.walk.levels.push_back({high - low, {from_stride, to_stride}});
  }
  return move;
}

Flops flopsOf(const ComputeSet& compute_set) {
  Flops flops;
  for (const VertexFamily& family : compute_set.families) {
    flops += family.count * family.type->work.flops;
  }
  return flops;
}

/// Floating-point work of programs; `of_set` is that of each compute set.
struct FlopCounter {
  const std::vector<Flops>& of_set;
  const std::vector<Program>& functions;

  [[nodiscard]] Flops operator()(const Program& program) const {
    if (program.kind == ProgramKind::Execute) return of_set[program.index];
    if (program.kind == ProgramKind::Call) return (*this)(functions[program.index]);
    Flops flops;
    for (const Program& child : program.children) flops += (*this)(child);
    return flops * program.count;
  }
};

/// Pairs of pieces that are all tried, at most: beyond it those that meet are looked up.
constexpr std::size_t kTriedPairs = 1U << 12U;

void addMoves(const CopyPair& pair, std::vector<Move>& moves) {
  const std::vector<Piece>& sources = pair.from.pieces();
  const std::vector<Piece>& targets = pair.to.pieces();
  const auto add = [&](const Piece& source, const Piece& target) {
    if (auto move = commonPart(source, target)) moves.push_back(*std::move(move));
  };
  if (sources.size() * targets.size() <= kTriedPairs) {
    for (const Piece& target : targets) {
      for (const Piece& source : sources) add(source, target);
    }
    return;
  }
  const PieceIndex index(sources);
  for (const Piece& target : targets) {
    for (const std::size_t s : index.near(target)) add(sources[s], target);
  }
}

}  // namespace

Tensor Graph::addVariable(models::ElementType type, const Shape& shape, const std::string& name,
                          Lifetime lifetime) {
  const auto id = static_cast<VariableId>(variables_.size());
  variables_.push_back({name, type, elementsOf(shape), lifetime, {}});
  return Tensor(id, type, shape);
}

Tensor Graph::addConstant(models::ElementType type, const Shape& shape, double value,
                          const std::string& name) {
  return addConstant(
      type, shape, [value](std::uint64_t) { return value; }, name);
}

Tensor Graph::addConstant(models::ElementType type, const Shape& shape, std::vector<double> values,
                          const std::string& name) {
  check(values.size() == elementsOf(shape), name + ": a value for each element");
  const auto shared = std::make_shared<const std::vector<double>>(std::move(values));
  return addConstant(
      type, shape, [shared](std::uint64_t e) { return (*shared)[e]; }, name);
}

Tensor Graph::addConstant(models::ElementType type, const Shape& shape, ConstantValues values,
                          const std::string& name) {
  Tensor constant = addVariable(type, shape, name, Lifetime::Always);
  variables_.back().constant = std::move(values);
  return constant;
}

void Graph::setTileMapping(const Tensor& tensor, TileId tile) {
  for (const Section& section : tensor.view()) {
    check(section.isRun(), "setTileMapping takes consecutive elements");
    variables_.at(indexOf(section.variable)).mapping.set(section.begin(), section.end(), tile);
  }
}

void Graph::mapLinearly(const Tensor& tensor, const models::Architecture& machine,
                        Bytes grain_bytes) {
  const View view = tensor.view();
  check(view.size() == 1, "mapLinearly takes a whole variable");
  Variable& variable = variables_.at(indexOf(view.front().variable));
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
  check(family.fields.size() == fields.size(), "a vertex with too few or too many fields");
  for (std::size_t f = 0; f < fields.size(); ++f) {
    if (elementsOf(family.fields[f].view) == fields[f].elements()) continue;
    throw InternalError(family.type->name + ": elements of field " + fields[f].name);
  }
  if (family.count != 0)
    compute_sets_.at(indexOf(compute_set)).families.push_back(std::move(family));
}

Program Graph::copy(const Tensor& from, const Tensor& to, const std::string& name) {
  return copy({{from, to}}, name);
}

Program Graph::copy(const std::vector<CopyPair>& pairs, const std::string& name) {
  CopyStep step{name, {}};
  for (const CopyPair& pair : pairs) {
    check(pair.from.shape() == pair.to.shape(), "copy between unlike shapes");
    addMoves(pair, step.moves);
  }
  copies_.push_back(std::move(step));
  Program program;
  program.kind = ProgramKind::Copy;
  program.index = static_cast<std::uint32_t>(copies_.size() - 1);
  return program;
}

Program Graph::hostCopy(const std::vector<Tensor>& tensors, HostDirection direction,
                        models::HostPath path) {
  HostCopyStep step{direction == HostDirection::ToChip ? "host/copyIn" : "host/copyOut",
                    direction,
                    path,
                    Bytes(0),
                    {}};
  std::set<VariableId> variables;
  for (const Tensor& tensor : tensors) {
    step.bytes += sizeOf(tensor.type()) * tensor.elements();
    for (const Piece& piece : tensor.pieces()) variables.insert(piece.variable);
  }
  step.variables.assign(variables.begin(), variables.end());
  host_copies_.push_back(std::move(step));
  Program program;
  program.kind = ProgramKind::HostCopy;
  program.index = static_cast<std::uint32_t>(host_copies_.size() - 1);
  return program;
}

FunctionId Graph::addFunction(Program body) {
  functions_.push_back(std::move(body));
  return static_cast<FunctionId>(functions_.size() - 1);
}

Flops Graph::flops(const Program& program) const {
  std::vector<Flops> of_set;
  for (const ComputeSet& compute_set : compute_sets_) of_set.push_back(flopsOf(compute_set));
  return FlopCounter{of_set, functions_}(program);
}

}  // namespace ipusim::workloads
