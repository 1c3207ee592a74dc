// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/graph/tensor_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "ipusim/error.h"
#include "poplar/exceptions.hpp"
#include "poplar/runtime/graph/element_bytes.h"
#include "poplar/runtime/graph/section_runs.h"

namespace poplar::detail {

using ipusim::GraphError;
using ipusim::Section;
using ipusim::Shape;
using ipusim::Tensor;

std::string TensorData::name() const {
  if (view.pieces().empty()) return "tensor";
  const auto& variable = names->variables.at(ipusim::indexOf(view.pieces().front().variable));
  return variable.name.empty() ? "tensor" : variable.name;
}

std::string TensorData::text() const {
  std::string sizes;
  for (std::size_t d = 0; d < rank(); ++d) {
    sizes += fmt::format("{}{}", d > 0 ? "," : "", view.shape()[d]);
  }
  return fmt::format("{}{{{}}}", name(), sizes);
}

void retain(TensorData* tensor) {
  retained(tensor);
}
void release(TensorData* tensor) {
  released(tensor);
}

TypeId typeOf(const TensorData* tensor) {
  return tensor->type;
}
std::size_t rankOf(const TensorData* tensor) {
  return tensor->rank();
}
std::size_t elementsOf(const TensorData* tensor) {
  return tensor->elements();
}

std::size_t dimOf(const TensorData* tensor, std::size_t dimension) {
  if (dimension < tensor->rank()) return tensor->view.shape()[dimension];
  throw index_error(
      fmt::format("dim: wanted a dimension of {}, found {}", tensor->text(), dimension).c_str());
}

void nameOf(const TensorData* tensor, Sink sink) {
  write(sink, tensor->name());
}

namespace {

template <typename Make>
TensorData* made(const TensorData& tensor, const char* call, const Make& make) {
  auto result = std::make_unique<TensorData>();
  result->type = tensor.type;
  result->unit = tensor.unit;
  result->names = tensor.names;
  try {
    result->view = make();
  } catch (const GraphError& error) {
    throw index_error(fmt::format("{} of {}: {}", call, tensor.text(), error.what()).c_str());
  }
  return result.release();
}

void checkDimension(const TensorData& tensor, const char* call, std::size_t dimension) {
  if (dimension < tensor.rank()) return;
  throw index_error(fmt::format("{} of {}: wanted one of its dimensions, found {}", call,
                                tensor.text(), dimension)
                        .c_str());
}

/// `shape` with the last dimension that the elements of the tensor need.
Shape withUnit(const TensorData& tensor, Shape shape) {
  shape.push_back(tensor.unit);
  return shape;
}

/// Runs of consecutive elements of variables, in the order of the view.
std::vector<Section> runsOf(const Tensor& view) {
  std::vector<Section> runs;
  const auto add = [&runs](Section run) {
    if (!runs.empty() && runs.back().variable == run.variable && runs.back().end() == run.begin()) {
      run = ipusim::contiguous(run.variable, runs.back().begin(),
                               runs.back().elements() + run.elements());
      runs.back() = run;
    } else {
      runs.push_back(run);
    }
  };
  for (const Section& section : view.view()) forEachRun(section, add);
  return runs;
}

}  // namespace

TensorData* indexed(const TensorData* tensor, std::size_t index) {
  checkDimension(*tensor, "operator[]", 0);
  return made(*tensor, "operator[]", [&] {
    const Tensor row = tensor->view.slice(index, index + 1, 0);
    return row.reshape(Shape(row.shape().begin() + 1, row.shape().end()));
  });
}

TensorData* sliced(const TensorData* tensor, std::size_t begin, std::size_t end,
                   std::size_t dimension) {
  checkDimension(*tensor, "slice", dimension);
  return made(*tensor, "slice", [&] { return tensor->view.slice(begin, end, dimension); });
}

TensorData* reshaped(const TensorData* tensor, const std::size_t* shape, std::size_t rank) {
  return made(*tensor, "reshape",
              [&] { return tensor->view.reshape(withUnit(*tensor, Shape(shape, shape + rank))); });
}

TensorData* shuffled(const TensorData* tensor, const unsigned* order, std::size_t rank) {
  return made(*tensor, "dimShuffle", [&] {
    std::vector<std::size_t> all(order, order + rank);
    all.push_back(tensor->rank());
    return tensor->view.dimShuffle(all);
  });
}

TensorData* repeatedAlong(const TensorData* tensor, std::size_t count, std::size_t dimension) {
  checkDimension(*tensor, "broadcast", dimension);
  return made(*tensor, "broadcast", [&] {
    Shape shape = tensor->view.shape();
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(dimension), 1);
    Tensor many = tensor->view.reshape(shape).broadcast(count, dimension);
    shape = tensor->view.shape();
    shape[dimension] *= count;
    return many.reshape(shape);
  });
}

TensorData* subSampled(const TensorData* tensor, std::size_t stride, std::size_t dimension) {
  checkDimension(*tensor, "subSample", dimension);
  return made(*tensor, "subSample", [&]() -> Tensor {
    if (stride == 0) throw GraphError("wanted a stride of at least 1");
    const Shape& shape = tensor->view.shape();
    const std::uint64_t whole = shape[dimension] / stride;
    Shape split = shape;
    split[dimension] = whole;
    split.insert(split.begin() + static_cast<std::ptrdiff_t>(dimension) + 1, stride);
    std::vector<Tensor> parts;
    if (whole > 0) {
      Shape each = shape;
      each[dimension] = whole;
      parts.push_back(tensor->view.slice(0, whole * stride, dimension)
                          .reshape(split)
                          .slice(0, 1, dimension + 1)
                          .reshape(each));
    }
    if (whole * stride < shape[dimension]) {
      parts.push_back(tensor->view.slice(whole * stride, whole * stride + 1, dimension));
    }
    return parts.empty() ? tensor->view : ipusim::concat(parts, dimension);
  });
}

TensorData* reversed(const TensorData* tensor, std::size_t dimension) {
  checkDimension(*tensor, "reverse", dimension);
  return made(*tensor, "reverse", [&] {
    std::vector<Tensor> parts;
    for (std::uint64_t i = tensor->view.shape()[dimension]; i-- > 0;) {
      parts.push_back(tensor->view.slice(i, i + 1, dimension));
    }
    return parts.empty() ? tensor->view : ipusim::concat(parts, dimension);
  });
}

TensorData* reinterpreted(const TensorData* tensor, TypeId type) {
  const std::size_t from = bytesOf(tensor->type);
  const std::size_t to = bytesOf(type);
  const std::size_t stored = from / tensor->unit;  // bytes of an element of the variable
  const auto fault = [&](const char* wanted) {
    return type_error(fmt::format("reinterpret of {} {} as {}: wanted {}", spellingOf(tensor->type),
                                  tensor->text(), spellingOf(type), wanted)
                          .c_str());
  };
  if (to == 0 || to % stored != 0) throw fault("a type that is not smaller than that stored");
  if (from != to && tensor->rank() == 0) throw fault("a tensor with a last dimension");
  TensorData* result = made(*tensor, "reinterpret", [&] {
    Shape shape(tensor->view.shape().begin(),
                tensor->view.shape().begin() + static_cast<std::ptrdiff_t>(tensor->rank()));
    if (from != to) {
      if (shape.back() * from % to != 0) throw fault("a last dimension of whole elements");
      shape.back() = shape.back() * from / to;
    }
    shape.push_back(to / stored);
    return tensor->view.reshape(shape);
  });
  result->type = type;
  result->unit = to / stored;
  return result;
}

TensorData* joined(const TensorData* const* parts, std::size_t count, std::size_t dimension) {
  if (count == 0) throw poplar_error("concat: wanted at least one tensor");
  for (std::size_t i = 0; i < count; ++i) {
    if (parts[i]->type != parts[0]->type || parts[i]->unit != parts[0]->unit) {
      throw type_error(fmt::format("concat: wanted tensors of {}, found {} of {}",
                                   spellingOf(parts[0]->type), parts[i]->text(),
                                   spellingOf(parts[i]->type))
                           .c_str());
    }
    checkDimension(*parts[i], "concat", dimension);
  }
  return made(*parts[0], "concat", [&] {
    std::vector<Tensor> views;
    views.reserve(count);
    for (std::size_t i = 0; i < count; ++i) views.push_back(parts[i]->view);
    return ipusim::concat(views, dimension);
  });
}

bool hasAliases(const TensorData* tensor) {
  std::vector<Section> runs = runsOf(tensor->view);
  std::sort(runs.begin(), runs.end(), [](const Section& a, const Section& b) {
    return std::pair(a.variable, a.begin()) < std::pair(b.variable, b.begin());
  });
  return std::adjacent_find(runs.begin(), runs.end(), [](const Section& a, const Section& b) {
           return a.variable == b.variable && b.begin() < a.end();
         }) != runs.end();
}

bool hasConstant(const TensorData* tensor) {
  const auto& pieces = tensor->view.pieces();
  return std::any_of(pieces.begin(), pieces.end(), [tensor](const Tensor::Piece& piece) {
    return tensor->names->variables.at(ipusim::indexOf(piece.variable)).is_constant;
  });
}

bool areEqual(const TensorData* a, const TensorData* b) {
  if (a == b) return true;
  if (a == nullptr || b == nullptr) return false;
  return a->type == b->type && a->unit == b->unit && a->names == b->names &&
         a->view.shape() == b->view.shape() && runsOf(a->view) == runsOf(b->view);
}

void contiguousRegions(const TensorData* tensor, void* to,
                       void (*add)(void* to, std::size_t begin, std::size_t end)) {
  std::size_t begin = 0;
  for (const Section& run : runsOf(tensor->view)) {
    const std::size_t end = begin + run.elements();
    add(to, begin / tensor->unit, end / tensor->unit);
    begin = end;
  }
}

}  // namespace poplar::detail
