// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "workloads/networks/layer.h"

namespace ipusim::workloads {

/// y = S * H(G * P(H(B * x))) + b. H is the Walsh-Hadamard transform, not normalised. P is a
/// permutation of the features, which is drawn once and not learned.
struct FastfoodShape {
  std::uint64_t features;  ///< a power of two
  std::uint64_t seed = 1;  ///< seed of the permutation
};

/// A fastfood layer, with the op sequence that the vendor's front end runs for the PyTorch code.
/// Parameters: "s", "g", "b" and "bias".
/// Source: HazyResearch/structured-nets, class Fastfood.
class FastfoodLayer : public Layer {
 public:
  FastfoodLayer(const LayerSite& site, const FastfoodShape& shape);

  Tensor forward(const Tensor& x, Lifetime result, Program& program) override;
  std::vector<Tensor> backward(const Tensor& gradient, Program& program) override;
  [[nodiscard]] Values reference(const std::vector<Values>& parameters,
                                 const Values& x) const override;
  [[nodiscard]] Flops forwardFlops() const override;

 private:
  /// The diagonals, in the order of the parameters.
  enum class Diagonal : std::uint8_t { S, G, B };

  /// Adds the product of a diagonal and `rows`. Keeps `rows` for the gradient of the diagonal.
  Tensor scale(Diagonal diagonal, const Tensor& rows, Lifetime lifetime, Program& program);
  /// Adds the gradient of a diagonal: `gradient` times the rows that the diagonal scaled, summed
  /// over the rows.
  Tensor diagonalGradient(Diagonal diagonal, const Tensor& gradient, Program& program);
  [[nodiscard]] const Parameter& parameterOf(Diagonal diagonal) const;

  FastfoodShape shape_;
  std::vector<std::uint64_t> permutation_;  ///< P moves feature permutation_[i] to feature i
  Tensor indices_;
  std::array<Tensor, 3> rows_;  ///< one entry per diagonal: the rows that it scaled
};

/// A permutation of [0, size) that depends on `seed` alone.
std::vector<std::uint64_t> randomPermutation(std::uint64_t size, std::uint64_t seed);

}  // namespace ipusim::workloads
