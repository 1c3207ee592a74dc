// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "ipusim/error.h"
#include "models/ipu/cost/movement/zero.h"
#include "models/ipu/cost/products/amp.h"
#include "models/ipu/cost/products/popsparse_block.h"
#include "models/ipu/cost/products/popsparse_elementwise.h"
#include "workloads/vertices/convert.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/number.h"
#include "workloads/vertices/params.h"
#include "workloads/vertices/products/products.h"

namespace ipusim::workloads {

namespace {

constexpr std::size_t kValues = 0;
constexpr std::size_t kDense = 1;
constexpr std::size_t kSparseMatmulOut = 2;

// Estimated: pointers to the operands, the result and the tables of buckets, their lengths, strides
// and the number of partials, as in the codelets of poplibs lib/popsparse/codelets.
constexpr Bytes kSparseMatmulStateBytes(32);
// One bucket: a pointer to its meta-information and one to its non-zeros.
constexpr std::uint64_t kBucketTableBytes = 8;
// The tables have 16-bit entries, after poplibs lib/popsparse/SparseMetaInfo.hpp. An output row has
// an entry for its place and one for its number of non-zeros; a non-zero has an entry for the place
// of its dense row. The entries of a sub-group and of a worker in it are estimated.
constexpr std::uint64_t kEntryBytes = 2;
constexpr std::uint64_t kSubGroupEntries = 6;
constexpr std::uint64_t kWorkerEntries = 5;
constexpr std::uint64_t kRowEntries = 2;
constexpr std::uint64_t kNonZeroEntries = 1;
constexpr std::uint64_t kWorkers = 6;
// Estimated as for the vertices of the matrix engine and of the dot products.
constexpr Bytes kElementCodeBytes(640);
constexpr Bytes kBlockCodeBytes(1024);

/// sum += block * dense, one column after the other. `size` is known, so that the rows of a column
/// become vector instructions; each dot product begins at 0 and takes its terms in order.
template <std::uint64_t size>
void addBlock(std::uint64_t columns, const float* block, const float* dense, float* sum) {
  std::array<float, size * size> by_column{};
  for (std::uint64_t i = 0; i < size; ++i) {
    for (std::uint64_t j = 0; j < size; ++j) by_column[j * size + i] = block[i * size + j];
  }
  for (std::uint64_t c = 0; c < columns; ++c) {
    std::array<float, size> dots{};
    for (std::uint64_t j = 0; j < size; ++j) {
      const float number = dense[c * size + j];
      for (std::uint64_t i = 0; i < size; ++i) dots[i] += by_column[j * size + i] * number;
    }
    for (std::uint64_t i = 0; i < size; ++i) sum[c * size + i] += dots[i];
  }
}

using AddBlock = void (*)(std::uint64_t, const float*, const float*, float*);

AddBlock addBlockOf(std::uint64_t size) {
  switch (size) {
    case 1:
      return addBlock<1>;
    case 4:
      return addBlock<4>;
    case 8:
      return addBlock<8>;
    case 16:
      return addBlock<16>;
    default:
      throw InternalError("a sparse vertex with blocks of no size it knows");
  }
}

template <typename Input, typename Partial>
void multiply(const SparseTile& tile, const VertexData& data) {
  static thread_local std::vector<float> of_values;
  static thread_local std::vector<float> of_dense;
  const std::uint64_t row_elements = tile.columns * tile.block;
  const std::uint64_t block_elements = tile.block * tile.block;
  const float* values =
      floatsOf(data.as<Input>(kValues, 0), tile.blocks.size() * block_elements, of_values);
  const float* dense = floatsOf(data.as<Input>(kDense, 0), tile.in_rows * row_elements, of_dense);
  auto* out = data.as<Partial>(kSparseMatmulOut, 0);
  const AddBlock add = addBlockOf(tile.block);
  std::vector<float> sum(row_elements);
  auto block = tile.blocks.begin();
  for (std::uint64_t row = 0; row < tile.out_rows; ++row, out += row_elements) {
    std::fill(sum.begin(), sum.end(), 0.0F);
    for (; block != tile.blocks.end() && block->row == row; ++block, values += block_elements) {
      add(tile.columns, values, dense + block->column * row_elements, sum.data());
    }
    fromFloats(sum.data(), row_elements, out);
  }
}

/// The number of blocks of each row that has any.
std::vector<std::uint64_t> rowSizes(const SparseTile& tile) {
  std::vector<std::uint64_t> sizes;
  for (std::size_t b = 0; b < tile.blocks.size(); ++b) {
    if (b == 0 || tile.blocks[b].row != tile.blocks[b - 1].row) sizes.push_back(0);
    ++sizes.back();
  }
  return sizes;
}

/// What the two functions of a type share.
struct SparseWork {
  SparseTile tile;
  std::vector<std::uint64_t>
      row_sizes;  ///< counted once, because the cost asks for many numbers of workers
};

/// Bytes of the meta-information: the places of rows and non-zeros, in 16-bit entries.
Bytes tableBytes(const SparseWork& work) {
  const std::uint64_t entries = kSubGroupEntries + kWorkers * kWorkerEntries +
                                kRowEntries * work.row_sizes.size() +
                                kNonZeroEntries * work.tile.blocks.size();
  return Bytes(kBucketTableBytes + kEntryBytes * entries);
}

/// Deals out the rows that have blocks, in order, so that the workers have about equally many
/// blocks.
std::vector<models::SparseRows> deal(const SparseWork& work, std::uint64_t workers) {
  std::vector<models::SparseRows> shares(workers);
  std::uint64_t before = 0;
  for (const std::uint64_t size : work.row_sizes) {
    const std::uint64_t worker = (before + size / 2) * workers / work.tile.blocks.size();
    models::SparseRows& share = shares[std::min(worker, workers - 1)];
    ++share.rows;
    share.non_zeros += size;
    before += size;
  }
  return shares;
}

Cycles multiplyCycles(const SparseWork& work, const Architecture& machine) {
  const SparseTile& tile = work.tile;
  if (tile.block == 1) {
    const models::DealRows rows = [&work](std::uint64_t workers) { return deal(work, workers); };
    return models::sparseForwardTileCycles(machine, tile.inputs, tile.columns, rows);
  }
  models::SparseBlockShape shape{tile.inputs, tile.partials, tile.block, {}, 1, 0, {}};
  shape.conv_units = models::ampUnits(machine, tile.inputs, tile.partials);
  shape.columns = ceilDiv<std::uint64_t>(tile.columns, machine.workers_per_tile);
  return models::sparseBlockCycles(machine, shape, tile.blocks.size());
}

Cycles sparseMatmulCost(const SparseWork& work, const Architecture& machine) {
  const SparseTile& tile = work.tile;
  const std::uint64_t outputs = tile.out_rows * tile.columns * tile.block;
  return models::zeroPartialsCycles(machine, {tile.partials, outputs, 1}) +
         multiplyCycles(work, machine);
}

void computeSparseMatmul(const SparseWork& work, const VertexData& data) {
  const SparseTile& tile = work.tile;
  withNumber(tile.inputs, [&](auto input) {
    withNumber(tile.partials,
               [&](auto partial) { multiply<decltype(input), decltype(partial)>(tile, data); });
  });
}

std::string nameFor(const SparseTile& tile) {
  const std::string types = std::string(nameOf(tile.inputs)) + "," + nameOf(tile.partials);
  if (tile.block == 1) return "popsparse::SparseDenseMatMulElementWise<" + types + ">";
  const std::string size = std::to_string(tile.block);
  return "popsparse::SparseDenseMatMulBlock<" + types + "," + size + "," + size + ">";
}

Params paramsOf(const SparseTile& tile) {
  Params params{{"type", wordOf(tile.inputs, kNumberWords)},
                {"partials_type", wordOf(tile.partials, kNumberWords)},
                {"block", tile.block},
                {"rows", tile.out_rows},
                {"in_rows", tile.in_rows},
                {"columns", tile.columns}};
  std::vector<std::uint64_t> sizes(tile.out_rows);
  std::vector<std::uint64_t> columns;
  columns.reserve(tile.blocks.size());
  for (const BlockPosition& block : tile.blocks) {
    ++sizes.at(block.row);
    columns.push_back(block.column);
  }
  params.push_back({"row_sizes", std::move(sizes)});
  params.push_back({"block_columns", std::move(columns)});
  return params;
}

/// Every block loads a row of blocks of the dense operand. Each row of the result is cleared first,
/// and stored when its sum is complete.
VertexWork workFor(const SparseTile& tile, const std::vector<Field>& fields) {
  const std::uint64_t values = fields[kValues].elements();
  const std::uint64_t dense = tile.blocks.size() * tile.columns * tile.block;
  return allMacs({Flops(2 * values * tile.columns), sizeOf(tile.inputs) * (values + dense),
                  sizeOf(tile.partials) * fields[kSparseMatmulOut].elements() * 2},
                 tile.inputs);
}

// A band has at most as many blocks as the square of this number.
constexpr std::uint64_t kMaxRows = 1U << 12U;

/// The blocks that two keys list: "row_sizes", with one size per row of the result, and
/// "block_columns".
std::vector<BlockPosition> listedBlocks(const ConfigReader& config, const SparseTile& tile) {
  const std::vector<std::uint64_t> sizes = config.wholes("row_sizes", 0, kMaxElements);
  const std::vector<std::uint64_t> columns = config.wholes("block_columns", 0, tile.in_rows - 1);
  if (sizes.size() != tile.out_rows) throw config.error("row_sizes", "one size for each row");
  if (std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}) != columns.size()) {
    throw config.error("block_columns", "one column for each block of row_sizes");
  }
  std::vector<BlockPosition> blocks;
  for (std::uint64_t row = 0; row < sizes.size(); ++row) {
    for (std::uint64_t b = 0; b < sizes[row]; ++b) {
      blocks.push_back(
          {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(columns[blocks.size()])});
    }
  }
  return blocks;
}

/// Rows of "row_blocks" blocks. Each row starts one place further than the row before.
std::vector<BlockPosition> bandOfBlocks(const ConfigReader& config, const SparseTile& tile) {
  const std::uint64_t blocks = config.whole("row_blocks", 1, std::min(tile.in_rows, kMaxRows));
  std::vector<BlockPosition> band;
  for (std::uint64_t row = 0; row < tile.out_rows; ++row) {
    for (std::uint64_t b = 0; b < blocks; ++b) {
      band.push_back(
          {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>((row + b) % tile.in_rows)});
    }
  }
  return band;
}

VertexType readSparseMatmul(const ConfigReader& config, const Architecture& /*machine*/) {
  SparseTile tile{};
  const auto [inputs, partials] = readProductTypes(config);
  tile.inputs = inputs;
  tile.partials = partials;
  tile.block = config.whole("block", 1, 16, 1);
  if (tile.block != 1 && tile.block != 4 && tile.block != 8 && tile.block != 16) {
    throw config.error("block", "one of 1, 4, 8, 16");
  }
  const bool listed = config.has("row_sizes");
  tile.out_rows = config.whole("rows", 1, listed ? kMaxElements : kMaxRows);
  tile.in_rows = config.whole("in_rows", 1, listed ? kMaxElements : kMaxRows);
  tile.columns = readCount(config, "columns");
  tile.blocks = listed ? listedBlocks(config, tile) : bandOfBlocks(config, tile);
  return sparseMatMulVertex(std::move(tile));
}

}  // namespace

VertexType sparseMatMulVertex(SparseTile tile) {
  check(!tile.blocks.empty() && tile.columns > 0, "a sparse vertex with nothing to multiply");
  const std::uint64_t row = tile.columns * tile.block;
  const std::uint64_t values = tile.blocks.size() * tile.block * tile.block;
  VertexType type;
  type.name = nameFor(tile);
  type.maker = kSparseMatMulEntry.name;
  type.params = paramsOf(tile);
  type.kind = VertexKind::Supervisor;
  type.fields = {{"values", FieldDirection::Input, tile.inputs, {{1, values}}},
                 {"dense", FieldDirection::Input, tile.inputs, {{1, tile.in_rows * row}}},
                 {"out", FieldDirection::Output, tile.partials, {{1, tile.out_rows * row}}}};
  type.work = workFor(tile, type.fields);
  std::vector<std::uint64_t> sizes = rowSizes(tile);
  SparseWork work{std::move(tile), std::move(sizes)};
  type.sizes = {kSparseMatmulStateBytes, tableBytes(work),
                work.tile.block == 1 ? kElementCodeBytes : kBlockCodeBytes};
  return withFunctions<SparseWork>(std::move(type), std::move(work),
                                   {sparseMatmulCost, computeSparseMatmul});
}

const VertexEntry kSparseMatMulEntry{
    "sparse_matmul",
    "sparse times dense, SparseDenseMatMul: type, partials_type, block, rows, in_rows, "
    "columns, row_blocks",
    readSparseMatmul};

}  // namespace ipusim::workloads
