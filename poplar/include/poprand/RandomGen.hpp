// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "popops/detail/elementwise.hpp"
#include "poputil/exceptions.hpp"

// Random numbers. Without a seed they come from the generators of the workers, which begin in a
// state of their own and are the same for each load of a program.

namespace poprand {

namespace detail {

inline std::string number(double value) {
  return popops::expr::detail::spelled(value) +
         (value == static_cast<double>(static_cast<long long>(value)) ? ".0f" : "f");
}

/// Numbers of `type` for the elements of a new tensor that lies like `like`.
struct Draw {
  const poplar::Tensor* seed;  ///< two words; null for the generators of the workers
  std::uint32_t modifier;      ///< of the seed
  const poplar::Tensor& like;
  const poplar::Type& type;
};

inline void checkSeed(const poplar::Tensor& seed) {
  if (seed.numElements() == 2) return;
  throw poputil::poplibs_error("random numbers: wanted a seed of two words, found " +
                               seed.shapeToString());
}

/// Draws numbers by a C++ value, which is computed for each element.
inline poplar::Tensor drawn(const popops::detail::Lowering& to, const Draw& draw,
                            const std::string& value) {
  const poplar::Tensor out = to.graph.clone(draw.type, draw.like, to.name);
  std::vector<poplar::Tensor> operands;
  std::string text = "as<" + draw.type.toString() + ">(" + value + ")";
  if (draw.seed != nullptr) {
    checkSeed(*draw.seed);
    const poplar::Tensor words = draw.seed->flatten();
    operands = {words[0], words[1]};
    text = "const SeededRandom seeded(x1, x2, " + std::to_string(draw.modifier) + "u); " + text;
  }
  const poplar::ComputeSet compute_set = to.graph.addComputeSet(to.name);
  const std::vector<const poplar::detail::TensorData*> all = poplar::detail::dataOf(operands);
  poplar::detail::addMap(to.graph.data(), compute_set.getId(),
                         poplar::detail::textOf(poplar::StringRef(text)), {all.data(), all.size()},
                         out.data());
  to.program.add(poplar::program::Execute(compute_set));
  return out;
}

}  // namespace detail

/// Numbers from `low` up to `high`; whole numbers with both ends. They lie like `like`.
inline poplar::Tensor uniform(poplar::Graph& graph, const poplar::Tensor* seed,
                              std::uint32_t modifier, const poplar::Tensor& like,
                              const poplar::Type& type, double low, double high,
                              poplar::program::Sequence& program,
                              const poplar::DebugContext& name = "uniform") {
  if (type == poplar::FLOAT || type == poplar::HALF) {
    return detail::drawn({graph, program, name}, {seed, modifier, like, type},
                         "uniform(" + detail::number(low) + ", " + detail::number(high) + ")");
  }
  if (type != poplar::INT && type != poplar::UNSIGNED_INT) {
    throw poputil::poplibs_error("uniform: wanted float, half, int or unsigned int, found " +
                                 type.toString());
  }
  const std::string bounds = std::to_string(static_cast<long long>(low)) +
                             "LL), static_cast<int>(" +
                             std::to_string(static_cast<long long>(high)) + "LL)";
  return detail::drawn({graph, program, name}, {seed, modifier, like, type},
                       "uniform_whole(static_cast<int>(" + bounds + ")");
}

/// 1 with that probability, or else 0.
inline poplar::Tensor bernoulli(poplar::Graph& graph, const poplar::Tensor* seed,
                                std::uint32_t modifier, const poplar::Tensor& like,
                                const poplar::Type& type, double probability,
                                poplar::program::Sequence& program,
                                const poplar::DebugContext& name = "bernoulli") {
  return detail::drawn({graph, program, name}, {seed, modifier, like, type},
                       "bernoulli(" + detail::number(probability) + ")");
}

inline poplar::Tensor normal(poplar::Graph& graph, const poplar::Tensor* seed,
                             std::uint32_t modifier, const poplar::Tensor& like,
                             const poplar::Type& type, double mean, double deviation,
                             poplar::program::Sequence& program,
                             const poplar::DebugContext& name = "normal") {
  return detail::drawn({graph, program, name}, {seed, modifier, like, type},
                       "normal(" + detail::number(mean) + ", " + detail::number(deviation) + ")");
}

/// Normal, and not more than `alpha` deviations away from the mean.
inline poplar::Tensor truncatedNormal(poplar::Graph& graph, const poplar::Tensor* seed,
                                      std::uint32_t modifier, const poplar::Tensor& like,
                                      const poplar::Type& type, double mean, double deviation,
                                      double alpha, poplar::program::Sequence& program,
                                      const poplar::DebugContext& name = "truncatedNormal") {
  return detail::drawn({graph, program, name}, {seed, modifier, like, type},
                       "truncated_normal(" + detail::number(mean) + ", " +
                           detail::number(deviation) + ", " + detail::number(alpha) + ")");
}

/// The elements of `input`, each kept with that probability and else 0, times `scale`. They lie
/// like `like`.
inline poplar::Tensor dropout(poplar::Graph& graph, const poplar::Tensor* seed,
                              std::uint32_t modifier, const poplar::Tensor& input,
                              const poplar::Tensor& like, double kept_probability, double scale,
                              poplar::program::Sequence& program,
                              const poplar::DebugContext& name = "dropout") {
  const poplar::Tensor mask = detail::drawn(
      {graph, program, name}, {seed, modifier, like, input.elementType()},
      "bernoulli(" + detail::number(kept_probability) + ") ? " + detail::number(scale) + " : 0.0f");
  popops::detail::runOperator({graph, program, name}, "multiply", {mask, input}, mask);
  return mask;
}

/// Starts the generators of all workers from two words.
inline void setSeed(poplar::Graph& graph, const poplar::Tensor& seed, std::uint32_t modifier,
                    poplar::program::Sequence& program,
                    const poplar::DebugContext& name = "setSeed") {
  detail::checkSeed(seed);
  const poplar::Tensor last = graph.addConstant(poplar::UNSIGNED_INT, {1}, modifier);
  graph.setTileMapping(last, 0);
  const poplar::Tensor words = poplar::concat(seed.flatten(), last);
  const poplar::ComputeSet compute_set = graph.addComputeSet(name);
  poplar::detail::addSeeds(graph.data(), compute_set.getId(),
                           poplar::detail::textOf(poplar::StringRef("SetSeed")), words.data());
  program.add(poplar::program::Execute(compute_set));
}

}  // namespace poprand
