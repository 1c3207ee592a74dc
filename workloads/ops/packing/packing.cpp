// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/packing/packing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/placement/shares.h"

namespace ipusim::workloads {

namespace {

/// The numbers that have the same place in their words, of all words. The last part may be shorter.
std::vector<Tensor> partsOf(const Tensor& numbers, const Packing& packing) {
  std::vector<Tensor> parts;
  for (std::uint64_t first = 0; first < packing.numbers; first += packing.words()) {
    const std::uint64_t end = std::min(first + packing.words(), packing.numbers);
    parts.push_back(numbers.slice(first, end, 0));
  }
  return parts;
}

double powerOfTwo(std::uint64_t exponent) {
  return std::ldexp(1.0, static_cast<int>(exponent));
}

Tensor spreadFloats(Graph& graph, const Architecture& machine, std::uint64_t elements,
                    const std::string& name) {
  Tensor floats = graph.addVariable(ElementType::Float, {elements}, name);
  graph.mapLinearly(floats, machine);
  return floats;
}

}  // namespace

Tensor packNumbers(Graph& graph, const Architecture& machine, const Tensor& numbers,
                   std::uint64_t bits, const OpResult& words, Program& program) {
  const Packing packing{numbers.elements(), bits};
  const std::vector<Tensor> parts = partsOf(numbers, packing);
  const Tensor sum = spreadFloats(graph, machine, packing.words(), words.name + "/parts");
  std::vector<Tensor> more;
  std::vector<CopyPair> pairs{{parts.front(), sum}};
  for (std::size_t p = 1; p < parts.size(); ++p) {
    // A part lies in step with the sum, so that no tile has more to add than others.
    more.push_back(graph.addVariable(ElementType::Float, {packing.words()}, words.name + "/parts"));
    mapAlike(graph, sum, more.back());
    pairs.push_back({parts[p], more.back().slice(0, parts[p].elements(), 0)});
  }
  program.add(graph.copy(pairs, words.name + "/parts"));
  Elementwise ops(graph, machine, program);
  for (std::size_t p = 1; p < parts.size(); ++p) {
    const std::uint64_t count = parts[p].elements();
    ops.scaledAdd(sum.slice(0, count, 0), more[p - 1].slice(0, count, 0), powerOfTwo(bits * p),
                  fmt::format("{}/Add_{}", words.name, p));
  }
  return ops.cast(sum, ElementType::UInt16, words.name + "/Cast", words.lifetime);
}

void unpackNumbers(Graph& graph, const Architecture& machine, const Tensor& words,
                   std::uint64_t bits, const Tensor& numbers, const std::string& name,
                   Program& program) {
  const std::vector<Tensor> to = partsOf(numbers, {numbers.elements(), bits});
  Elementwise ops(graph, machine, program);
  std::vector<CopyPair> pairs;
  Tensor rest = ops.cast(words, ElementType::Float, name + "/Cast", Lifetime::Temporary);
  for (std::size_t p = 0; p + 1 < to.size(); ++p) {
    const std::string part = fmt::format("{}/part_{}", name, p);
    const Tensor above =
        ops.scale(rest, 1 / powerOfTwo(bits), part + "/above", Lifetime::Temporary);
    ops.unaryInPlace(models::UnaryOp::Truncate, above, part + "/Truncate");
    ops.scaledAdd(rest, above, -powerOfTwo(bits), part + "/Add");
    pairs.push_back({rest, to[p]});
    rest = above;
  }
  pairs.push_back({rest.slice(0, to.back().elements(), 0), to.back()});
  program.add(graph.copy(pairs, name + "/numbers"));
}

}  // namespace ipusim::workloads
