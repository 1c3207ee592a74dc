// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// Vertices that draw random numbers. A tile has one of them for all its elements.
enum class RandomVertex : std::uint8_t { Uniform, Bernoulli, Normal, TruncatedNormal, Dropout };

struct RandomShape {
  RandomVertex vertex;
  ElementType type;  ///< half or float; of Uniform and Bernoulli also int
  std::uint64_t elements;
  std::uint64_t iterations = 0;  ///< of TruncatedNormal
  bool is_scaled = false;        ///< Uniform of int: the range is not that of 32 bits
};

/// Tile cycles of a vertex on n elements. R(r, k) = floor(r (n + k - 1) / k); [x] is one where x
/// holds; V is the number of elements of a vector; i are the iterations:
///
///   Uniform          float 136 + R(4, 32) + 4 [n mod 32]    half 148 + R(4, 16) + 12 [n mod 16]
///                    int 136 + floor(n / 2), scaled 136 + 6 floor(n / 2) + 2 [n odd]
///   Bernoulli        float and int 142 + R(1, 32) + [n mod 32]  half 130 + R(1, 16) + 9 [n mod 16]
///   Normal           float 136 + R(4, 2) + 3 [n odd]        half 148 + R(4, 4) + 12 [n mod 4]
///   TruncatedNormal  float 160 + R(11 i + 5, 2) + (13 i + 2) [n odd]
///                    half 172 + R(12 i + 5, 4) + (12 i + 10) [n mod 4]
///   Dropout          150 + R(2, V) + (float 1, half 9) [n mod V]
///
/// The published loop over elements is not multiplied by the workers.
/// Source: graphcore/poplibs lib/poprand/RandomGenCycleEstimators.cpp (MIT).
/// Calibrated: no.
Cycles randomCycles(const Architecture& machine, const RandomShape& shape);

}  // namespace ipusim::models
