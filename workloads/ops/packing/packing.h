// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/graph.h"
#include "workloads/ops/placement/op_result.h"

// Whole numbers of a few bits in words of 16 bits. The library has no vertex that packs them. They
// are put together and taken apart by arithmetic on floats, which is exact on whole numbers of up
// to 24 bits, and by casts.

namespace ipusim::workloads {

constexpr std::uint64_t kWordBits = 16;

/// The form of packed numbers. Word w has the numbers w, w + words(), w + 2 words() ..., from its
/// low bits on.
struct Packing {
  std::uint64_t numbers;
  std::uint64_t bits;  ///< of a number: 1, 2, 4, 8 or 16

  [[nodiscard]] std::uint64_t perWord() const { return kWordBits / bits; }
  [[nodiscard]] std::uint64_t words() const { return ceilDiv(numbers, perWord()); }
};

/// Adds the steps that pack numbers from 0 to below 2^bits. `numbers` are floats of one dimension
/// in one run. The words have one dimension and are spread linearly over the tiles.
Tensor packNumbers(Graph& graph, const Architecture& machine, const Tensor& numbers,
                   std::uint64_t bits, const OpResult& words, Program& program);

/// Adds the steps that fill `numbers`, floats of one dimension in one run, from words.
void unpackNumbers(Graph& graph, const Architecture& machine, const Tensor& words,
                   std::uint64_t bits, const Tensor& numbers, const std::string& name,
                   Program& program);

}  // namespace ipusim::workloads
