// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/products/conv_numbers.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "ipusim/units.h"
#include "workloads/vertices/convert.h"
#include "workloads/vertices/number.h"
#include "workloads/vertices/products/panel_product.h"

namespace ipusim::workloads {

namespace {

constexpr std::size_t kConvNumbersIn = 0;
constexpr std::size_t kConvNumbersWeights = 1;
constexpr std::size_t kConvNumbersOut = 2;

constexpr std::uint64_t kConvNumbersPointerBytes = 4;
// 6 workers x 3 entries x 2 bytes.
// Source: poplibs lib/poplin/codelets/ConvPartial1x1Out.cpp and ConvPartialHorizontalMac.cpp, the
// versions with 16-bit worklists.
constexpr std::uint64_t kWorklistBytes = 36;

/// The rows of one matrix of a conv group. There is one array of [row][in chan] per group of rows
/// and in group.
struct ConvertedOperand {
  std::uint64_t rows = 0;
  std::uint64_t rows_per_group = 0;
  std::vector<const float*> arrays;  ///< indexed by [group of rows][in group]
  std::vector<float> converted;      ///< what the arrays hold where the operand is half
};

void collect(const float* numbers, std::uint64_t /*elements*/, ConvertedOperand& operand) {
  operand.arrays.push_back(numbers);
}

void collect(const Half* numbers, std::uint64_t elements, ConvertedOperand& operand) {
  float* to = operand.converted.data() + operand.arrays.size() * elements;
  toFloats(numbers, elements, to);
  operand.arrays.push_back(to);
}

/// Memory in which a product is computed. A thread keeps it from vertex to vertex.
struct Scratch {
  ConvertedOperand in;
  ConvertedOperand weights;
  std::vector<float> rows;     ///< one panel
  std::vector<float> columns;  ///< all panels, one after the other
};

/// Writes rows [first, first + width) as a panel of all in chans. Rows that do not exist become
/// zeros.
void pack(const ConvertedOperand& operand, const ConvBlocks& sizes, std::uint64_t first,
          std::uint64_t width, float* panel) {
  const std::uint64_t rows = std::min(width, operand.rows - first);
  if (rows < width) std::fill_n(panel, width * sizes.in_groups * sizes.in_chans, 0.0F);
  for (std::uint64_t r = 0; r < rows; ++r) {
    const std::uint64_t group = (first + r) / operand.rows_per_group;
    const std::uint64_t offset = (first + r) % operand.rows_per_group * sizes.in_chans;
    const float* const* arrays = operand.arrays.data() + group * sizes.in_groups;
    float* to = panel + r;
    for (std::uint64_t i = 0; i < sizes.in_groups; ++i) {
      const float* row = arrays[i] + offset;
      for (std::uint64_t c = 0; c < sizes.in_chans; ++c, to += width) *to = row[c];
    }
  }
}

constexpr std::uint64_t kFloatColumns = kPanelColumns<float>;

template <typename Partial>
using Tile = std::array<Partial, kPanelRows * kFloatColumns>;

/// Sums over all in chans, in order. A half partial is stored after each in group, which rounds it.
template <typename Partial>
void sumUp(const ConvBlocks& sizes, const float* rows, const float* columns, Tile<Partial>& sums) {
  Tile<float> exact{};
  if constexpr (std::is_same_v<Partial, float>) {
    addProducts(rows, columns, sizes.in_groups * sizes.in_chans, exact.data());
    sums = exact;
  } else {
    for (std::uint64_t i = 0; i < sizes.in_groups; ++i) {
      addProducts(rows, columns, sizes.in_chans, exact.data());
      fromFloats(exact.data(), exact.size(), sums.data());
      toFloats(sums.data(), sums.size(), exact.data());
      rows += sizes.in_chans * kPanelRows;
      columns += sizes.in_chans * kFloatColumns;
    }
  }
}

/// Computes the product of one conv group. The weights give the columns of the product, unless they
/// have too few rows to fill a panel and fewer rows than the input.
template <typename Partial>
class Product {
 public:
  Product(const ConvBlocks& sizes, std::vector<Partial*> out)
      : sizes_(sizes), out_(std::move(out)) {}

  void run(Scratch& scratch) const {
    const bool swapped =
        scratch.weights.rows < kFloatColumns && scratch.weights.rows < sizes_.field;
    const ConvertedOperand& left = swapped ? scratch.weights : scratch.in;
    const ConvertedOperand& right = swapped ? scratch.in : scratch.weights;
    const std::uint64_t depth = sizes_.in_groups * sizes_.in_chans;
    scratch.rows.resize(kPanelRows * depth);
    scratch.columns.resize(roundUp(right.rows, kFloatColumns) * depth);
    for (std::uint64_t c = 0; c < right.rows; c += kFloatColumns) {
      pack(right, sizes_, c, kFloatColumns, scratch.columns.data() + c * depth);
    }
    Tile<Partial> sums;
    for (std::uint64_t r = 0; r < left.rows; r += kPanelRows) {
      pack(left, sizes_, r, kPanelRows, scratch.rows.data());
      const std::uint64_t rows = std::min(kPanelRows, left.rows - r);
      for (std::uint64_t c = 0; c < right.rows; c += kFloatColumns) {
        sumUp(sizes_, scratch.rows.data(), scratch.columns.data() + c * depth, sums);
        const std::uint64_t columns = std::min(kFloatColumns, right.rows - c);
        for (std::uint64_t i = 0; i < rows; ++i) {
          const Partial* row = sums.data() + i * kFloatColumns;
          swapped ? storePositions(row, columns, r + i, c) : storeChans(row, columns, c, r + i);
        }
      }
    }
  }

 private:
  /// Writes out chans [chan, chan + count) of one position.
  void storeChans(const Partial* from, std::uint64_t count, std::uint64_t chan,
                  std::uint64_t position) const {
    for (const std::uint64_t end = chan + count; chan < end;) {
      const std::uint64_t in_group = chan % sizes_.out_chans;
      const std::uint64_t taken = std::min(end - chan, sizes_.out_chans - in_group);
      Partial* group = out_[chan / sizes_.out_chans];
      std::copy_n(from, taken, group + position * sizes_.out_chans + in_group);
      from += taken;
      chan += taken;
    }
  }
  /// Writes one out chan at positions [position, position + count).
  void storePositions(const Partial* from, std::uint64_t count, std::uint64_t chan,
                      std::uint64_t position) const {
    Partial* to =
        out_[chan / sizes_.out_chans] + position * sizes_.out_chans + chan % sizes_.out_chans;
    for (std::uint64_t i = 0; i < count; ++i) to[i * sizes_.out_chans] = from[i];
  }

  const ConvBlocks& sizes_;
  std::vector<Partial*> out_;  ///< one entry per out group
};

/// The arrays of edges [first, first + count) of a field. Each array has `rows` rows.
template <typename Input>
struct EdgeRange {
  std::size_t field;
  std::uint64_t first;
  std::uint64_t count;
  std::uint64_t rows;

  void collectTo(ConvertedOperand& operand, const ConvBlocks& sizes, const VertexData& data) const {
    const std::uint64_t elements = rows * sizes.in_chans;
    operand.rows_per_group = rows;
    operand.rows = count / sizes.in_groups * rows;
    operand.arrays.clear();
    if constexpr (!std::is_same_v<Input, float>) operand.converted.resize(count * elements);
    for (std::uint64_t e = first; e < first + count; ++e) {
      collect(data.as<Input>(field, e), elements, operand);
    }
  }
};

template <typename Input, typename Partial>
void multiply(const ConvBlocks& sizes, const VertexData& data) {
  static thread_local Scratch scratch;
  const std::uint64_t weights = sizes.out_groups * sizes.in_groups;
  std::vector<Partial*> out(sizes.out_groups);
  for (std::uint64_t g = 0; g < sizes.conv_groups; ++g) {
    const EdgeRange<Input> in{kConvNumbersIn, g * sizes.in_groups, sizes.in_groups, sizes.field};
    in.collectTo(scratch.in, sizes, data);
    const EdgeRange<Input> by{kConvNumbersWeights, g * weights, weights, sizes.out_chans};
    by.collectTo(scratch.weights, sizes, data);
    for (std::uint64_t o = 0; o < sizes.out_groups; ++o) {
      out[o] = data.as<Partial>(kConvNumbersOut, g * sizes.out_groups + o);
    }
    Product<Partial>(sizes, out).run(scratch);
  }
}

}  // namespace

std::vector<Field> convFields(const ConvBlocks& blocks, ElementType inputs, ElementType partials) {
  const std::uint64_t in = blocks.conv_groups * blocks.in_groups;
  const std::uint64_t out = blocks.conv_groups * blocks.out_groups;
  return {
      {"in", FieldDirection::Input, inputs, {{in, blocks.field * blocks.in_chans}}},
      {"weights",
       FieldDirection::Input,
       inputs,
       {{out * blocks.in_groups, blocks.out_chans * blocks.in_chans}}},
      {"out", FieldDirection::Output, partials, {{out, blocks.field * blocks.out_chans}}},
  };
}

Flops convFlops(const ConvBlocks& blocks) {
  return Flops(2 * blocks.conv_groups * blocks.field * blocks.in_groups * blocks.in_chans *
               blocks.out_groups * blocks.out_chans);
}

Bytes convTableBytes(const std::vector<Field>& fields, std::uint64_t kernel_positions) {
  std::uint64_t edges = 0;
  for (const Field& field : fields) edges += field.edges();
  return Bytes(edges * kConvNumbersPointerBytes + kernel_positions * kWorklistBytes);
}

void computeConv(const ConvBlocks& blocks, ElementType inputs, ElementType partials,
                 const VertexData& data) {
  withNumber(inputs, [&](auto input) {
    withNumber(partials,
               [&](auto partial) { multiply<decltype(input), decltype(partial)>(blocks, data); });
  });
}

}  // namespace ipusim::workloads
