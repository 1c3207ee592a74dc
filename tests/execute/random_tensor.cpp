// SPDX-License-Identifier: Apache-2.0
#include "tests/execute/random_tensor.h"

#include <algorithm>

#include "tests/support/toy_machine.h"

namespace ipusim::executor {

namespace {

constexpr std::uint64_t kLongestRun = 9;
constexpr std::uint64_t kMostViews = 5;
constexpr std::uint64_t kMostRepetitions = 3;

TwinTensor sliced(const TwinTensor& twin, std::uint64_t begin, std::uint64_t end, std::size_t dim) {
  return {twin.view.slice(begin, end, dim), twin.plain.slice(begin, end, dim)};
}

TwinTensor joined(const TwinTensor& first, const TwinTensor& second, std::size_t dim) {
  return {ipusim::concat({first.view, second.view}, dim), concat(first.plain, second.plain, dim)};
}

TwinTensor reshaped(RandomSource& random, const TwinTensor& twin) {
  const Shape shape = randomShape(random, twin.view.elements());
  return {twin.view.reshape(shape), twin.plain.reshape(shape)};
}

TwinTensor shuffled(RandomSource& random, const TwinTensor& twin) {
  const auto order = random.permutation(twin.plain.shape.size());
  return {twin.view.dimShuffle(order), twin.plain.dimShuffle(order)};
}

/// Rotates a dimension: the indices from some place on come first, then those before it.
TwinTensor rotated(RandomSource& random, const TwinTensor& twin) {
  const std::size_t dim = random.below(twin.plain.shape.size());
  const std::uint64_t size = twin.plain.shape[dim];
  if (size == 1) return twin;
  const std::uint64_t cut = random.between(1, size - 1);
  return joined(sliced(twin, cut, size, dim), sliced(twin, 0, cut, dim), dim);
}

TwinTensor cutOut(RandomSource& random, const TwinTensor& twin) {
  const std::size_t dim = random.below(twin.plain.shape.size());
  const std::uint64_t begin = random.below(twin.plain.shape[dim]);
  return sliced(twin, begin, random.between(begin + 1, twin.plain.shape[dim]), dim);
}

TwinTensor broadcasted(RandomSource& random, const TwinTensor& twin) {
  const std::size_t dim = random.below(twin.plain.shape.size());
  const std::uint64_t index = random.below(twin.plain.shape[dim]);
  const std::uint64_t count = random.between(1, kMostRepetitions);
  const TwinTensor one = sliced(twin, index, index + 1, dim);
  return {one.view.broadcast(count, dim), one.plain.broadcast(count, dim)};
}

TwinTensor joinedWithAPart(RandomSource& random, const TwinTensor& twin) {
  const std::size_t dim = random.below(twin.plain.shape.size());
  const std::uint64_t begin = random.below(twin.plain.shape[dim]);
  const std::uint64_t end = random.between(begin + 1, twin.plain.shape[dim]);
  const TwinTensor part = sliced(twin, begin, end, dim);
  return random.below(2) == 0 ? joined(twin, part, dim) : joined(part, twin, dim);
}

}  // namespace

Shape randomShape(RandomSource& random, std::uint64_t elements) {
  constexpr std::size_t kMostDims = 4;
  Shape shape;
  const std::size_t dims = random.between(1, kMostDims);
  for (std::size_t d = 1; d < dims; ++d) {
    std::vector<std::uint64_t> divisors;
    for (std::uint64_t size = 1; size <= elements; ++size) {
      if (elements % size == 0) divisors.push_back(size);
    }
    shape.push_back(divisors[random.below(divisors.size())]);
    elements /= shape.back();
  }
  shape.push_back(elements);
  return shape;
}

void mapAtRandom(RandomSource& random, Graph& graph, const Tensor& variable) {
  const Tensor flat = variable.reshape({variable.elements()});
  for (std::uint64_t begin = 0; begin < flat.elements();) {
    const std::uint64_t end = std::min(flat.elements(), begin + random.between(1, kLongestRun));
    const TileId tile(static_cast<std::uint32_t>(random.below(models::toyMachine().tiles)));
    graph.setTileMapping(flat.slice(begin, end, 0), tile);
    begin = end;
  }
}

TwinTensor randomVariable(RandomSource& random, Graph& graph, ElementType type,
                          std::uint64_t elements) {
  const Shape shape = randomShape(random, elements);
  const Tensor tensor = graph.addVariable(type, shape, "variable", Lifetime::Always);
  mapAtRandom(random, graph, tensor);
  PlainTensor plain{shape, {}};
  const VariableId id = tensor.pieces().front().variable;
  for (std::uint64_t e = 0; e < elements; ++e) plain.places.push_back({id, e});
  return {tensor, plain};
}

TwinTensor rearranged(RandomSource& random, TwinTensor tensor) {
  for (std::uint64_t left = random.between(1, kMostViews); left > 0; --left) {
    switch (random.below(3)) {
      case 0:
        tensor = reshaped(random, tensor);
        break;
      case 1:
        tensor = shuffled(random, tensor);
        break;
      default:
        tensor = rotated(random, tensor);
    }
  }
  return tensor;
}

TwinTensor anyView(RandomSource& random, TwinTensor tensor) {
  for (std::uint64_t left = random.between(1, kMostViews); left > 0; --left) {
    switch (random.below(4)) {
      case 0:
        tensor = cutOut(random, tensor);
        break;
      case 1:
        tensor = broadcasted(random, tensor);
        break;
      case 2:
        tensor = joinedWithAPart(random, tensor);
        break;
      default:
        tensor = rearranged(random, tensor);
    }
  }
  return tensor;
}

}  // namespace ipusim::executor
