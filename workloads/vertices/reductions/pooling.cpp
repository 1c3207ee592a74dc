// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/reductions/pooling.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "ipusim/error.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/number.h"
#include "workloads/vertices/params.h"

namespace ipusim::workloads {

namespace {

using models::PoolingVertex;
using Sizes = std::vector<std::uint64_t>;

// Pointers, the work list's pointer, and sizes.
// Source: poplibs lib/popnn/codelets/PoolingCodelets.cpp.
constexpr Bytes kPoolingStateBytes(32);
// Estimated as for poplin's ReduceAdd.
constexpr Bytes kPoolingCodeBytes(320);
// An entry of the work list has three numbers of 16 bits.
constexpr Bytes kWorkBytes(6);

constexpr Words<PoolingVertex, 3> kVertexWords{{{PoolingVertex::Max, "max"},
                                                {PoolingVertex::Sum, "sum"},
                                                {PoolingVertex::MaxGradient, "max_gradient"}}};
constexpr Words<PoolingDirection, 2> kPoolingDirectionWords{
    {{PoolingDirection::Forward, "forward"}, {PoolingDirection::Backward, "backward"}}};

std::uint64_t elementsIn(const Sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{1}, std::multiplies<>());
}

/// The operand, in one dimension, that element `k` of the window joins with result `r`.
std::optional<std::uint64_t> operandOf(const WindowBlock& block, std::size_t d, std::uint64_t r,
                                       std::uint64_t k) {
  const std::uint64_t shift = k * block.dilation[d];
  if (block.direction == PoolingDirection::Forward) {
    const std::uint64_t at = r * block.stride[d] + shift;
    if (at < block.offset[d] || at - block.offset[d] >= block.field[d]) return std::nullopt;
    return at - block.offset[d];
  }
  const std::uint64_t at = r + block.offset[d];
  if (at < shift || (at - shift) % block.stride[d] != 0) return std::nullopt;
  const std::uint64_t position = (at - shift) / block.stride[d];
  if (position >= block.positions[d]) return std::nullopt;
  return position;
}

/// The indices of `element` of a box.
Sizes indicesOf(const Sizes& box, std::uint64_t element) {
  Sizes indices(box.size());
  for (std::size_t d = box.size(); d-- > 0; element /= box[d]) indices[d] = element % box[d];
  return indices;
}

/// The operand, as an element of its block, that element `k` of the window joins with `result`.
std::optional<std::uint64_t> operandOf(const WindowBlock& block, const Sizes& result,
                                       const Sizes& k) {
  std::uint64_t element = 0;
  for (std::size_t d = 0; d < result.size(); ++d) {
    const std::optional<std::uint64_t> at = operandOf(block, d, result[d], k[d]);
    if (!at) return std::nullopt;
    element = element * block.operands()[d] + *at;
  }
  return element;
}

/// The items of one row of results: for each element of the window that meets any operands, how
/// many, less one.
models::PoolingRow rowOf(const WindowBlock& block, std::uint64_t begin, std::uint64_t end) {
  models::PoolingRow row;
  for (std::uint64_t w = 0; w < elementsIn(block.window); ++w) {
    const Sizes k = indicesOf(block.window, w);
    std::uint64_t met = 0;
    for (std::uint64_t r = begin; r < end; ++r) {
      if (operandOf(block, indicesOf(block.results(), r), k)) ++met;
    }
    if (met > 0) row.push_back(met - 1);
  }
  return row;
}

/// The rows of one worker of `workers`, which share the results evenly.
std::vector<models::PoolingRow> rowsOf(const WindowBlock& block, std::uint64_t worker,
                                       std::uint64_t workers) {
  const std::uint64_t all = elementsIn(block.results());
  const std::uint64_t length = block.results().back();
  const std::uint64_t end = (worker + 1) * all / workers;
  std::vector<models::PoolingRow> rows;
  for (std::uint64_t begin = worker * all / workers; begin < end;) {
    const std::uint64_t row_end = std::min(end, (begin / length + 1) * length);
    rows.push_back(rowOf(block, begin, row_end));
    begin = row_end;
  }
  return rows;
}

Cycles poolingCost(const PoolingVertexShape& shape, const Architecture& machine) {
  models::PoolingShape vertex{
      shape.vertex,
      elementsIn(shape.block.results()),
      ceilDiv(shape.channels, std::uint64_t{machine.vectorWidth(shape.type)}),
      shape.planes,
      {}};
  for (std::uint64_t w = 0; w < machine.workers_per_tile; ++w) {
    vertex.work.push_back(rowsOf(shape.block, w, machine.workers_per_tile));
  }
  return models::poolingCycles(machine, vertex);
}

/// A result and an operand that an element of the window joins.
struct Tap {
  std::uint64_t result;
  std::uint64_t operand;
};

std::vector<Tap> tapsOf(const WindowBlock& block) {
  std::vector<Tap> taps;
  for (std::uint64_t r = 0; r < elementsIn(block.results()); ++r) {
    const Sizes result = indicesOf(block.results(), r);
    for (std::uint64_t w = 0; w < elementsIn(block.window); ++w) {
      const auto operand = operandOf(block, result, indicesOf(block.window, w));
      if (operand) taps.push_back({r, *operand});
    }
  }
  return taps;
}

/// Reads and writes elements of a plane by number.
template <typename Number>
class Plane {
 public:
  Plane(const PoolingVertexShape& shape, const VertexData& data) : shape_(shape), data_(data) {}

  [[nodiscard]] Number* of(std::size_t field, std::uint64_t plane, std::uint64_t element) const {
    const bool is_result_side = field == 0 || (field == 1 && isGradient());
    const Sizes& box = is_result_side ? shape_.block.results() : shape_.block.operands();
    return data_.as<Number>(field, 0) + (plane * elementsIn(box) + element) * shape_.channels;
  }

 private:
  [[nodiscard]] bool isGradient() const { return shape_.vertex == PoolingVertex::MaxGradient; }

  const PoolingVertexShape& shape_;
  const VertexData& data_;
};

template <typename Number>
void poolPlane(const PoolingVertexShape& shape, const Plane<Number>& fields, std::uint64_t plane,
               const std::vector<Tap>& taps) {
  const bool is_max = shape.vertex == PoolingVertex::Max;
  const std::uint64_t results = elementsIn(shape.block.results());
  std::vector<float> sums(results * shape.channels,
                          is_max ? std::numeric_limits<float>::lowest() : 0.0F);
  for (const Tap& tap : taps) {
    const Number* in = fields.of(1, plane, tap.operand);
    float* sum = &sums[tap.result * shape.channels];
    for (std::uint64_t c = 0; c < shape.channels; ++c) {
      const auto value = static_cast<float>(in[c]);
      sum[c] = is_max ? std::max(sum[c], value) : sum[c] + value;
    }
  }
  Number* out = fields.of(0, plane, 0);
  for (std::size_t e = 0; e < sums.size(); ++e) {
    out[e] = static_cast<Number>(is_max ? sums[e] : sums[e] * shape.scale);
  }
}

template <typename Number>
void gradientOfPlane(const PoolingVertexShape& shape, const Plane<Number>& fields,
                     std::uint64_t plane, const std::vector<Tap>& taps) {
  std::vector<float> sums(elementsIn(shape.block.results()) * shape.channels, 0);
  for (const Tap& tap : taps) {
    const Number* in = fields.of(1, plane, tap.result);
    const Number* maximum = fields.of(2, plane, tap.operand);
    const Number* gradient = fields.of(3, plane, tap.operand);
    float* sum = &sums[tap.result * shape.channels];
    for (std::uint64_t c = 0; c < shape.channels; ++c) {
      if (in[c] == maximum[c]) sum[c] += static_cast<float>(gradient[c]);
    }
  }
  Number* out = fields.of(0, plane, 0);
  for (std::size_t e = 0; e < sums.size(); ++e) out[e] = static_cast<Number>(sums[e]);
}

void computePooling(const PoolingVertexShape& shape, const VertexData& data) {
  const std::vector<Tap> taps = tapsOf(shape.block);
  withNumber(shape.type, [&](auto number) {
    const Plane<decltype(number)> fields(shape, data);
    for (std::uint64_t plane = 0; plane < shape.planes; ++plane) {
      if (shape.vertex == PoolingVertex::MaxGradient) {
        gradientOfPlane(shape, fields, plane, taps);
      } else {
        poolPlane(shape, fields, plane, taps);
      }
    }
  });
}

/// As many numbers as the field has dimensions.
Sizes readSizes(const ConfigReader& config, const char* key, std::uint64_t least,
                std::size_t dimensions) {
  Sizes sizes = config.wholes(key, least, kMaxElements);
  if (sizes.size() != dimensions) throw config.error(key, "one number per dimension of the field");
  return sizes;
}

VertexType readPooling(const ConfigReader& config, const Architecture& /*machine*/) {
  PoolingVertexShape shape{};
  shape.vertex = readWord(config, "function", kVertexWords);
  shape.type = readWord(config, "type", kNumberWords);
  shape.planes = readCount(config, "planes");
  shape.channels = readCount(config, "channels");
  shape.scale = readScale(config, 1);
  WindowBlock& block = shape.block;
  block.direction = readWord(config, "direction", kPoolingDirectionWords);
  if (shape.vertex != PoolingVertex::Sum &&
      (shape.vertex == PoolingVertex::Max) != (block.direction == PoolingDirection::Forward)) {
    throw config.error("direction", "\"forward\" for max, and \"backward\" for max_gradient");
  }
  block.field = config.wholes("field", 1, kMaxElements);
  const std::size_t dimensions = block.field.size();
  block.positions = readSizes(config, "positions", 1, dimensions);
  block.window = readSizes(config, "window", 1, dimensions);
  block.stride = readSizes(config, "stride", 1, dimensions);
  block.dilation = readSizes(config, "dilation", 1, dimensions);
  block.offset = readSizes(config, "offset", 0, dimensions);
  return poolingVertex(shape);
}

std::vector<Field> fieldsOf(const PoolingVertexShape& shape) {
  const std::uint64_t width = shape.planes * shape.channels;
  const EdgeGroup results{1, width * elementsIn(shape.block.results())};
  const EdgeGroup operands{1, width * elementsIn(shape.block.operands())};
  if (shape.vertex != PoolingVertex::MaxGradient) {
    return {{"out", FieldDirection::Output, shape.type, {results}},
            {"in", FieldDirection::Input, shape.type, {operands}}};
  }
  return {{"inGrad", FieldDirection::Output, shape.type, {results}},
          {"in", FieldDirection::Input, shape.type, {results}},
          {"out", FieldDirection::Input, shape.type, {operands}},
          {"outGrad", FieldDirection::Input, shape.type, {operands}}};
}

std::string nameFor(PoolingVertex vertex) {
  if (vertex == PoolingVertex::Sum) return "SumPooling";
  return vertex == PoolingVertex::Max ? "MaxPooling" : "MaxPoolingGrad";
}

}  // namespace

VertexType poolingVertex(const PoolingVertexShape& shape) {
  const WindowBlock& block = shape.block;
  const std::uint64_t taps = tapsOf(block).size();
  VertexType type;
  type.name = "popnn::" + nameFor(shape.vertex) + "<" + nameOf(shape.type) + ">";
  type.maker = kPoolingEntry.name;
  type.params = {{"function", wordOf(shape.vertex, kVertexWords)},
                 {"direction", wordOf(block.direction, kPoolingDirectionWords)},
                 {"type", wordOf(shape.type, kNumberWords)},
                 {"planes", shape.planes},
                 {"channels", shape.channels},
                 {"scale", static_cast<double>(shape.scale)},
                 {"field", block.field},
                 {"positions", block.positions},
                 {"window", block.window},
                 {"stride", block.stride},
                 {"dilation", block.dilation},
                 {"offset", block.offset}};
  type.kind = VertexKind::Supervisor;
  type.fields = fieldsOf(shape);
  type.sizes = {kPoolingStateBytes, kWorkBytes * elementsIn(block.window), kPoolingCodeBytes};
  type.work = workOn(type.fields, Flops(taps * shape.planes * shape.channels));
  return withFunctions<PoolingVertexShape>(std::move(type), shape, {poolingCost, computePooling});
}

const VertexEntry kPoolingEntry{"pooling",
                                "maxima, sums or gradients of windows, MaxPooling, SumPooling and "
                                "MaxPoolingGrad: function, direction, type, planes, channels, "
                                "field, positions, window, stride, dilation, offset, scale",
                                readPooling};

}  // namespace ipusim::workloads
