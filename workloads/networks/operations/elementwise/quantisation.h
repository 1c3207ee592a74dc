// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/config/words.h"
#include "workloads/networks/graph/operation.h"

// Operations that keep the elements of a tensor in fewer bits. They have no gradients: they code
// what is saved between the passes of training.

namespace ipusim::workloads {

/// How a number between two levels becomes one of them. Stochastic: the upper one with a
/// probability that grows with the number, so that the mean is right.
enum class LevelRounding : std::uint8_t { Nearest, Stochastic };

constexpr Words<LevelRounding, 2> kLevelRoundings{{
    {LevelRounding::Nearest, "nearest"},
    {LevelRounding::Stochastic, "stochastic"},
}};

/// Symmetric quantisation: x becomes a whole number of steps from -most() to most(), where a step
/// is the largest |x| of a block, divided by most().
struct Quantiser {
  std::uint64_t bits = 8;   ///< 2, 4, 8 or 16
  std::uint64_t block = 0;  ///< consecutive elements with a scale of their own; 0: all elements
  LevelRounding rounding = LevelRounding::Nearest;
  std::uint64_t seed = 0;  ///< of the stochastic rounding

  [[nodiscard]] std::uint64_t most() const { return (std::uint64_t{1} << (bits - 1)) - 1; }
  [[nodiscard]] std::uint64_t blocksOf(std::uint64_t elements) const {
    return block == 0 ? 1 : elements / block;
  }
};

/// The least that counts as the largest magnitude of a block, so that a block of zeros has a scale.
constexpr double kLeastMagnitude = 0x1p-100;

/// x to words of 16 bits with all levels, and the largest magnitude of each block as a float.
OperationPointer quantise(const Quantiser& quantiser);

/// What quantise() made of a tensor of `type`, as such a tensor again.
OperationPointer dequantise(const Quantiser& quantiser, const TensorType& type);

/// One bit per element, in words of 16: whether it is positive.
OperationPointer packSigns();

/// 1 where packSigns() of a tensor of `type` found a positive element, and 0 elsewhere.
OperationPointer unpackSigns(const TensorType& type);

}  // namespace ipusim::workloads
