// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/rearrange.h"

#include <algorithm>
#include <memory>

#include "workloads/codelets/transpose.h"
#include "workloads/ops/zero.h"

namespace ipusim::workloads {

using models::Machine;
using models::TransposeVertex;

namespace {

/// Equal matrices that follow one another on one tile, at the same offset before and after.
struct Matrices {
  std::uint32_t tile;
  std::uint64_t offset;
  std::uint64_t count;
  std::uint64_t rows;     ///< before the transpose
  std::uint64_t columns;  ///< before the transpose

  [[nodiscard]] std::uint64_t elements() const { return count * rows * columns; }
};

/// Whether `next` continues `last` in memory with matrices of the same size.
bool continues(const Matrices& last, const Matrices& next) {
  return last.tile == next.tile && last.rows == next.rows && last.columns == next.columns &&
         last.offset + last.elements() == next.offset;
}

/// What each tile holds of a block, a run of equal matrices at a time: whole units, or a unit's part.
std::vector<Matrices> matricesOf(const OperandBlock& block, std::uint64_t channels) {
  std::vector<Matrices> all;
  for (const BlockShare& share : sharesOf(block)) {
    const std::uint64_t row = share.unit * block.rows + share.first_row;
    const Matrices next{share.tile, block.offset + row * channels, 1, channels, share.rows};
    if (!all.empty() && continues(all.back(), next)) {
      ++all.back().count;
    } else {
      all.push_back(next);
    }
  }
  return all;
}

class TransposedArrival {
 public:
  TransposedArrival(Graph& graph, const Machine& machine, const BlockedOperand& operand,
                    const std::string& name)
      : graph_(graph),
        machine_(machine),
        operand_(operand),
        arrived_(graph.addVariable(operand.storage.type(), operand.storage.shape(),
                                   name + "/arrived")),
        compute_set_(graph.addComputeSet(name + "/Transpose")) {}

  [[nodiscard]] ComputeSetId computeSet() const { return compute_set_; }

  /// Maps a block's part of the arrived data like the operand and adds the vertices that transpose
  /// it; the (units, rows, channels) of what arrives.
  Tensor addBlock(const OperandBlock& block) {
    std::vector<Tensor> units;
    std::vector<Tensor> rows;
    for (const Matrices& matrices : matricesOf(block, operand_.row_elements)) {
      const Tensor data = slice(arrived_, matrices);
      graph_.setTileMapping(data, matrices.tile);
      addVertices(matrices);
      const Tensor turned = data.reshape({matrices.count, matrices.rows, matrices.columns})
                                .dimShuffle({0, 2, 1});
      if (matrices.columns == block.rows) {
        units.push_back(turned);
        continue;
      }
      rows.push_back(turned);
      const Tensor unit = concat(rows, 1);
      if (unit.shape()[1] != block.rows) continue;
      units.push_back(unit);
      rows.clear();
    }
    return concat(units, 0);
  }

 private:
  static Tensor slice(const Tensor& storage, const Matrices& matrices) {
    return storage.slice(matrices.offset, matrices.offset + matrices.elements(), 0);
  }

  /// One vertex for all workers where there is such a type, else one a worker.
  void addVertices(const Matrices& all) {
    const Bytes element = sizeOf(arrived_.type());
    const TransposeVertex vertex =
        models::transposeVertexFor(machine_, element, all.rows, all.columns, all.count);
    const std::uint64_t vertices =
        vertex == TransposeVertex::Transpose2D
            ? std::min<std::uint64_t>(machine_.workers_per_tile, all.count)
            : 1;
    Matrices rest = all;
    for (std::uint64_t left = vertices; left > 0;) {
      Matrices share = rest;
      share.count = rest.count / left;
      const std::uint64_t equal = rest.count % left == 0 ? left : left - rest.count % left;
      addFamily(vertex, share, equal);
      rest.offset += equal * share.elements();
      rest.count -= equal * share.count;
      left -= equal;
    }
  }

  void addFamily(TransposeVertex vertex, const Matrices& share, std::uint64_t count) {
    const auto field = [&](const Tensor& storage) {
      return Connection{slice(storage, share).view(), share.elements()};
    };
    auto codelet = std::make_shared<Transpose>(arrived_.type(), vertex, share.rows, share.columns,
                                               share.count);
    graph_.addVertices(compute_set_,
                       {std::move(codelet), share.tile, static_cast<std::uint32_t>(count),
                        {field(arrived_), field(operand_.storage)}});
  }

  Graph& graph_;
  const Machine& machine_;
  const BlockedOperand& operand_;
  Tensor arrived_;
  ComputeSetId compute_set_;
};

/// True where the channels of the source follow one another in memory.
bool channelsAreConsecutive(const Tensor& source) {
  return std::all_of(source.pieces().begin(), source.pieces().end(),
                     [](const Tensor::Piece& p) { return p.extent[2] == 1 || p.stride[2] == 1; });
}

Tensor unpadded(const Tensor& logical, const Shape& shape) {
  return logical.slice(0, shape[1], 1).slice(0, shape[2], 2);
}

}  // namespace

void rearrangeOperand(Graph& graph, const Machine& machine, const MatmulLayout& layout,
                      const Tensor& source, const BlockedOperand& operand,
                      const std::string& name) {
  Program& program = graph.program();
  if (channelsAreConsecutive(source)) {
    program.add(graph.copy(source, unpadded(operand.logical, source.shape()), name + "/PreArrange"));
  } else {
    TransposedArrival arrival(graph, machine, operand, name);
    std::vector<Tensor> blocks;
    for (const OperandBlock& block : operand.blocks) blocks.push_back(arrival.addBlock(block));
    const Tensor arrived = layout.assemble(operand.role, blocks);
    program.add(graph.copy(source, unpadded(arrived, source.shape()), name + "/PreArrange"));
    program.add(execute(arrival.computeSet()));
  }
  clearPadding(graph, machine, layout, operand, name);
}

void clearPadding(Graph& graph, const Machine& machine, const MatmulLayout& layout,
                  const BlockedOperand& operand, const std::string& name) {
  const std::uint64_t channels = layout.plan().conv.in_chans;
  const std::uint64_t padded = operand.logical.shape()[2];
  if (channels == padded) return;
  addZero(graph, machine, operand.logical.slice(channels, padded, 2), name + "/Padding",
          graph.program());
}

}  // namespace ipusim::workloads
