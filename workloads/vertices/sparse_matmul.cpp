// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/sparse_matmul.h"

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "models/ipu/cost/amp.h"
#include "models/ipu/cost/popsparse_block.h"
#include "models/ipu/cost/zero.h"
#include "workloads/vertices/number.h"

namespace ipusim::workloads {

namespace {

constexpr std::size_t kValues = 0;
constexpr std::size_t kDense = 1;
constexpr std::size_t kOut = 2;

// Estimated: pointers to the operands, the result and the tables of buckets, their lengths, strides
// and the number of partials, as the codelets of poplibs lib/popsparse/codelets hold them.
constexpr std::uint64_t kStateBytes = 32;
// One bucket: a pointer to its meta-information and one to its non-zeros.
constexpr std::uint64_t kBucketTableBytes = 8;
// 16-bit entries, after poplibs lib/popsparse/SparseMetaInfo.hpp: an output row has its place and
// its number of non-zeros, a non-zero the place of its dense row. What a sub-group and a worker in
// it have is estimated.
constexpr std::uint64_t kEntryBytes = 2;
constexpr std::uint64_t kSubGroupEntries = 6;
constexpr std::uint64_t kWorkerEntries = 5;
constexpr std::uint64_t kRowEntries = 2;
constexpr std::uint64_t kNonZeroEntries = 1;
constexpr std::uint64_t kWorkers = 6;
// Estimated, as for the matrix engine's and the dot products' vertices.
constexpr std::uint64_t kElementCodeBytes = 640;
constexpr std::uint64_t kBlockCodeBytes = 1024;

/// out += block * dense, one column after the other.
template <typename Input>
void addBlock(std::uint64_t size, std::uint64_t columns, const Input* block, const Input* dense,
              float* sum) {
  for (std::uint64_t c = 0; c < columns; ++c) {
    for (std::uint64_t i = 0; i < size; ++i) {
      float dot = 0;
      for (std::uint64_t j = 0; j < size; ++j) {
        dot += static_cast<float>(block[i * size + j]) * static_cast<float>(dense[c * size + j]);
      }
      sum[c * size + i] += dot;
    }
  }
}

template <typename Input, typename Partial>
void multiply(const SparseTile& tile, const VertexData& data) {
  const auto* values = data.as<Input>(kValues, 0);
  const auto* dense = data.as<Input>(kDense, 0);
  auto* out = data.as<Partial>(kOut, 0);
  const std::uint64_t row_elements = tile.columns * tile.block;
  std::vector<float> sum(row_elements);
  auto block = tile.blocks.begin();
  for (std::uint64_t row = 0; row < tile.out_rows; ++row) {
    std::fill(sum.begin(), sum.end(), 0.0F);
    for (; block != tile.blocks.end() && block->row == row; ++block) {
      addBlock(tile.block, tile.columns, values, dense + block->column * row_elements, sum.data());
      values += tile.block * tile.block;
    }
    for (const float value : sum) *out++ = static_cast<Partial>(value);
  }
}

}  // namespace

SparseDenseMatMul::SparseDenseMatMul(SparseTile tile) : tile_(std::move(tile)) {
  check(!tile_.blocks.empty() && tile_.columns > 0, "a sparse vertex with nothing to multiply");
  for (std::size_t b = 0; b < tile_.blocks.size(); ++b) {
    if (b == 0 || tile_.blocks[b].row != tile_.blocks[b - 1].row) row_sizes_.push_back(0);
    ++row_sizes_.back();
  }
  const std::uint64_t row = tile_.columns * tile_.block;
  const std::uint64_t values = tile_.blocks.size() * tile_.block * tile_.block;
  fields_ = {{"values", FieldDirection::Input, tile_.inputs, {{1, values}}},
             {"dense", FieldDirection::Input, tile_.inputs, {{1, tile_.in_rows * row}}},
             {"out", FieldDirection::Output, tile_.partials, {{1, tile_.out_rows * row}}}};
}

Bytes SparseDenseMatMul::stateBytes() const {
  return Bytes(kStateBytes);
}

Bytes SparseDenseMatMul::fieldDataBytes() const {
  const std::uint64_t entries = kSubGroupEntries + kWorkers * kWorkerEntries +
                                kRowEntries * row_sizes_.size() +
                                kNonZeroEntries * tile_.blocks.size();
  return Bytes(kBucketTableBytes + kEntryBytes * entries);
}

Flops SparseDenseMatMul::flops() const {
  return Flops(2 * tile_.blocks.size() * tile_.block * tile_.block * tile_.columns);
}

void SparseDenseMatMul::compute(const VertexData& data) const {
  withNumber(tile_.inputs, [&](auto input) {
    withNumber(tile_.partials,
               [&](auto partial) { multiply<decltype(input), decltype(partial)>(tile_, data); });
  });
}

std::vector<models::SparseRows> SparseDenseMatMul::deal(std::uint64_t workers) const {
  std::vector<models::SparseRows> shares(workers);
  std::uint64_t before = 0;
  for (const std::uint64_t size : row_sizes_) {
    const std::uint64_t worker = (before + size / 2) * workers / tile_.blocks.size();
    models::SparseRows& share = shares[std::min(worker, workers - 1)];
    ++share.rows;
    share.non_zeros += size;
    before += size;
  }
  return shares;
}

Cycles SparseDenseMatMul::clearCycles(const models::Machine& machine) const {
  return models::zeroPartialsCycles(machine, {tile_.partials, fields_[kOut].elements(), 1});
}

std::string SparseDenseMatMul::typeNames() const {
  return std::string(nameOf(tile_.inputs)) + "," + nameOf(tile_.partials);
}

std::string SparseDenseMatMulElementWise::name() const {
  return "popsparse::SparseDenseMatMulElementWise<" + typeNames() + ">";
}

Cycles SparseDenseMatMulElementWise::cycles(const models::Machine& machine) const {
  const models::DealRows rows = [this](std::uint64_t workers) { return deal(workers); };
  return clearCycles(machine) +
         models::sparseForwardTileCycles(machine, tile().inputs, tile().columns, rows);
}

Bytes SparseDenseMatMulElementWise::codeBytes() const {
  return Bytes(kElementCodeBytes);
}

std::string SparseDenseMatMulBlock::name() const {
  const std::string size = std::to_string(tile().block);
  return "popsparse::SparseDenseMatMulBlock<" + typeNames() + "," + size + "," + size + ">";
}

Cycles SparseDenseMatMulBlock::cycles(const models::Machine& machine) const {
  models::SparseBlockShape shape{tile().inputs, tile().partials, tile().block, {}, 1, 0, {}};
  shape.conv_units = models::ampUnits(machine, tile().inputs, tile().partials);
  shape.columns = ceilDiv<std::uint64_t>(tile().columns, machine.workers_per_tile);
  return clearCycles(machine) + models::sparseBlockCycles(machine, shape, tile().blocks.size());
}

Bytes SparseDenseMatMulBlock::codeBytes() const {
  return Bytes(kBlockCodeBytes);
}

std::shared_ptr<const Codelet> makeSparseMatMul(SparseTile tile) {
  if (tile.block == 1) return std::make_shared<SparseDenseMatMulElementWise>(std::move(tile));
  return std::make_shared<SparseDenseMatMulBlock>(std::move(tile));
}

}  // namespace ipusim::workloads
