// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/elementwise/elementwise.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "ipusim/error.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/placement/shares.h"
#include "workloads/vertices/elementwise/elementwise.h"
#include "workloads/vertices/type_cache.h"

namespace ipusim::workloads {

using models::OpPlacement;

namespace {

// Workers get whole vectors, and at least two grains.
// Source: poplibs lib/popops/ElementWise.cpp.
constexpr std::uint64_t kSmallestGrain = 4;
constexpr std::uint64_t kFewestGrains = 2;

/// What one vertex covers: its form, and its part of the first operand.
struct VertexPart {
  Runs runs;
  View view;
};

/// Takes runs of these lengths off the front of `view`. No run may cross the end of a section.
View takeNext(View& view, const std::vector<std::uint64_t>& lengths) {
  View part;
  for (const std::uint64_t length : lengths) {
    Section& first = view.front();
    part.push_back(contiguous(first.variable, first.begin(), length));
    const std::uint64_t left = first.elements() - length;
    if (left == 0) {
      view.erase(view.begin());
    } else {
      first = contiguous(first.variable, first.begin() + length, left);
    }
  }
  return part;
}

std::vector<VertexPart> partsOf(View share, const Architecture& machine, ElementType type,
                                VertexForms forms) {
  if (share.size() == 1 && forms == VertexForms::Both) {
    return {{Runs::one(share.front().elements()), share}};
  }
  std::vector<std::uint64_t> lengths;
  lengths.reserve(share.size());
  for (const Section& section : share) lengths.push_back(section.elements());
  const std::uint64_t grain = std::max<std::uint64_t>(machine.vectorWidth(type), kSmallestGrain);
  std::vector<VertexPart> parts;
  for (auto& own : splitRuns(lengths, machine.workers_per_tile, grain)) {
    View view = takeNext(share, own);
    parts.push_back({Runs::list(std::move(own)), std::move(view)});
  }
  return parts;
}

/// Puts one element of `scalars` on each tile that has a share.
template <typename Shares>
void mapOneToEach(Graph& graph, const Tensor& scalars, const Shares& shares) {
  std::uint64_t index = 0;
  for (const auto& [tile, share] : shares) {
    graph.setTileMapping(scalars.slice(index, index + 1, 0), tile);
    ++index;
  }
}

/// Vertex types by the form and the lengths of the runs.
using TypesByRuns = TypeCache<std::pair<bool, std::vector<std::uint64_t>>>;

}  // namespace

std::vector<std::vector<std::uint64_t>> splitRuns(const std::vector<std::uint64_t>& lengths,
                                                  std::uint64_t workers, std::uint64_t grain) {
  const std::uint64_t elements = std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
  const std::uint64_t grains = ceilDiv(elements, grain);
  const std::uint64_t most = std::max(ceilDiv(grains, workers), kFewestGrains);
  const std::uint64_t vertices = ceilDiv(grains, most);
  const std::uint64_t each = ceilDiv(grains, vertices) * grain;

  std::vector<std::vector<std::uint64_t>> parts(1);
  std::uint64_t room = each;
  for (std::uint64_t length : lengths) {
    while (length > 0) {
      if (room == 0) {
        parts.emplace_back();
        room = each;
      }
      const std::uint64_t taken = std::min(room, length);
      parts.back().push_back(taken);
      room -= taken;
      length -= taken;
    }
  }
  return parts;
}

Tensor Elementwise::addLike(const Tensor& first, ElementType type, const std::string& name,
                            Lifetime lifetime) {
  Tensor tensor = graph_.addVariable(type, {first.elements()}, name + "/Out", lifetime);
  graph_.setShape(tensor, first.shape());
  mapAlike(graph_, first, tensor);
  return tensor;
}

void Elementwise::add(const std::vector<Tensor>& fields, const MakeVertex& make,
                      const std::string& name, VertexForms forms) {
  const ComputeSetId compute_set = graph_.addComputeSet(name);
  const Tensor& first = fields.front();
  for (const Tensor& field : fields) {
    check(field.elements() != first.elements() || isConsecutive(field),
          name + ": operands of consecutive elements");
  }
  TypesByRuns types;
  std::uint64_t index = 0;
  for (const auto& [tile, share] : sharesByTile(graph_, first)) {
    for (const VertexPart& part : partsOf(share, machine_, first.type(), forms)) {
      VertexFamily family{
          types.get({part.runs.isOne(), part.runs.lengths()}, [&] { return make(part.runs); }),
          tile,
          1,
          {}};
      for (const Tensor& field : fields) {
        const bool in_step = field.elements() == first.elements();
        family.fields.push_back(
            {in_step ? shareIn(field, part.view, first) : field.flatView(index, index + 1)});
      }
      graph_.addVertices(compute_set, std::move(family));
    }
    ++index;
  }
  program_.add(execute(compute_set));
}

Tensor Elementwise::unary(models::UnaryOp op, const Tensor& in, const std::string& name,
                          Lifetime lifetime) {
  Tensor out = addLike(in, in.type(), name, lifetime);
  const models::UnaryOpKind kind{op, in.type()};
  add(
      {in, out},
      [&](const Runs& runs) {
        return unaryOpVertex({kind, runs});
      },
      name);
  return out;
}

void Elementwise::unaryInPlace(models::UnaryOp op, const Tensor& in_out, const std::string& name) {
  const models::UnaryOpKind kind{op, in_out.type(), OpPlacement::InPlace};
  add(
      {in_out},
      [&](const Runs& runs) {
        return unaryOpVertex({kind, runs});
      },
      name);
}

Tensor Elementwise::binary(models::BinaryOp op, const Tensor& left, const Tensor& right,
                           const std::string& name, Lifetime lifetime) {
  Tensor out = addLike(left, resultType(op, left.type()), name, lifetime);
  const models::BinaryOpKind kind{op, left.type()};
  add(
      {left, right, out},
      [&](const Runs& runs) {
        return binaryOpVertex({kind, runs});
      },
      name);
  return out;
}

void Elementwise::binaryInPlace(models::BinaryOp op, const Tensor& left_out, const Tensor& right,
                                const std::string& name) {
  const models::BinaryOpKind kind{op, left_out.type(), OpPlacement::InPlace};
  add(
      {left_out, right},
      [&](const Runs& runs) {
        return binaryOpVertex({kind, runs});
      },
      name);
}

Tensor Elementwise::addScalars(const Tensor& in, double scalar, const std::string& name) {
  const auto shares = sharesByTile(graph_, in);
  Tensor scalars = graph_.addConstant(in.type(), {shares.size()}, scalar, name + "/scale");
  mapOneToEach(graph_, scalars, shares);
  return scalars;
}

Tensor Elementwise::addScalars(const Tensor& in, const Tensor& scalar, const std::string& name) {
  const auto shares = sharesByTile(graph_, in);
  Tensor scalars =
      graph_.addVariable(in.type(), {shares.size()}, name + "/scale", Lifetime::Temporary);
  mapOneToEach(graph_, scalars, shares);
  const Tensor repeated = scalar.reshape({1}).broadcast(shares.size(), 0);
  program_.add(graph_.copy(repeated, scalars, name + "/scale"));
  return scalars;
}

void Elementwise::addWithScalars(models::BinaryOp op, const std::vector<Tensor>& fields,
                                 const std::string& name) {
  const OpPlacement placement = fields.size() == 3 ? OpPlacement::OutOfPlace : OpPlacement::InPlace;
  add(
      fields,
      [&](const Runs& runs) {
        return scaleByScalarVertex({fields.front().type(), placement, runs, op});
      },
      name);
}

Tensor Elementwise::withScalar(models::BinaryOp op, const Tensor& in, double number,
                               const std::string& name, Lifetime lifetime) {
  Tensor out = addLike(in, resultType(op, in.type()), name, lifetime);
  addWithScalars(op, {in, addScalars(in, number, name), out}, name);
  return out;
}

Tensor Elementwise::withScalar(models::BinaryOp op, const Tensor& in, const Tensor& scalar,
                               const std::string& name, Lifetime lifetime) {
  Tensor out = addLike(in, in.type(), name, lifetime);
  addWithScalars(op, {in, addScalars(in, scalar, name), out}, name);
  return out;
}

void Elementwise::withScalarInPlace(models::BinaryOp op, const Tensor& in_out, double number,
                                    const std::string& name) {
  addWithScalars(op, {in_out, addScalars(in_out, number, name)}, name);
}

void Elementwise::withScalarInPlace(models::BinaryOp op, const Tensor& in_out, const Tensor& scalar,
                                    const std::string& name) {
  addWithScalars(op, {in_out, addScalars(in_out, scalar, name)}, name);
}

Tensor Elementwise::scale(const Tensor& in, double factor, const std::string& name,
                          Lifetime lifetime) {
  return withScalar(models::BinaryOp::Multiply, in, factor, name, lifetime);
}

void Elementwise::scaleInPlace(const Tensor& in_out, double factor, const std::string& name) {
  withScalarInPlace(models::BinaryOp::Multiply, in_out, factor, name);
}

void Elementwise::addScalarInPlace(const Tensor& in_out, double number, const std::string& name) {
  withScalarInPlace(models::BinaryOp::Add, in_out, number, name);
}

void Elementwise::scaledAdd(const Tensor& sum, const Tensor& more, double factor,
                            const std::string& name) {
  const models::ScaledAddKind kind{models::ScaledOp::Add, sum.type(), more.type()};
  add(
      {sum, more},
      [&](const Runs& runs) {
        return scaledAddVertex({kind, static_cast<float>(factor), runs});
      },
      name);
}

Tensor Elementwise::cast(const Tensor& in, ElementType type, const std::string& name,
                         Lifetime lifetime) {
  Tensor out = addLike(in, type, name, lifetime);
  add(
      {in, out},
      [&](const Runs& runs) {
        return castVertex({in.type(), type, runs});
      },
      name);
  return out;
}

Tensor Elementwise::select(const Choice& choice, const std::string& name, Lifetime lifetime) {
  const ElementType type = choice.yes.type();
  Tensor out = addLike(choice.yes, type, name, lifetime);
  add(
      {choice.yes, choice.no, choice.condition, out},
      [&](const Runs& runs) {
        return ternaryOpVertex({TernaryOp::Select, type, runs});
      },
      name, VertexForms::List);
  return out;
}

Tensor Elementwise::clamp(const Tensor& in, const Bounds& bounds, const std::string& name,
                          Lifetime lifetime) {
  Tensor out = addLike(in, in.type(), name, lifetime);
  add(
      {in, addScalars(in, bounds.low, name + "/low"), addScalars(in, bounds.high, name + "/high"),
       out},
      [&](const Runs& runs) {
        return ternaryOpVertex({TernaryOp::Clamp, in.type(), runs});
      },
      name, VertexForms::List);
  return out;
}

}  // namespace ipusim::workloads
