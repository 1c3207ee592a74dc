// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/remote_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "ipusim/error.h"
#include "sim/execute/element_value.h"

namespace ipusim::executor {

using compiler::BlockOffsets;
using compiler::RowCopy;
using compiler::RowPart;
using compiler::Step;

namespace {

/// Calls `use(from, to)` with the two places of each element that the levels of `walk` visit from
/// `level` on.
template <typename Use>
void forEachElement(const Walk<BlockOffsets>& walk, std::size_t level, BlockOffsets at,
                    const Use& use) {
  if (level == walk.levels.size()) {
    use(at.from, at.to);
    return;
  }
  for (std::uint64_t i = 0; i < walk.levels[level].count; ++i) {
    forEachElement(walk, level + 1, at, use);
    at += walk.levels[level].stride;
  }
}

}  // namespace

const RemoteBuffer& bufferOf(const Graph& graph, const HostRow& row) {
  if (indexOf(row.buffer) >= graph.remoteBuffers().size()) {
    throw GraphError(fmt::format("row {}: wanted a remote buffer below {}, found {}", row.name,
                                 graph.remoteBuffers().size(), indexOf(row.buffer)));
  }
  const RemoteBuffer& buffer = graph.remoteBuffer(row.buffer);
  if (row.row < buffer.rows) return buffer;
  throw GraphError(fmt::format("row {}: wanted a row of {} below {}, found {}", row.name,
                               buffer.name, buffer.rows, row.row));
}

void RemoteRows::write(const Graph& graph, const HostRow& row, const TensorValues& values) {
  const RemoteBuffer& buffer = bufferOf(graph, row);
  if (values.size() != buffer.row_elements) {
    throw GraphError(fmt::format("row {}: wanted a value for each of its {} elements, found {}",
                                 row.name, buffer.row_elements, values.size()));
  }
  const std::uint64_t element = sizeOf(buffer.type).value();
  std::vector<std::byte>& bytes = rows_[{row.buffer, row.row}];
  bytes.resize(values.size() * element);
  storeElements(buffer.type, values.data(), 1, {values.size(), element}, bytes.data());
}

TensorValues RemoteRows::read(const Graph& graph, const HostRow& row) const {
  const RemoteBuffer& buffer = bufferOf(graph, row);
  const auto written = rows_.find({row.buffer, row.row});
  if (written == rows_.end()) {
    throw GraphError(fmt::format("row {}: wanted a row that was written, found row {} of {}",
                                 row.name, row.row, buffer.name));
  }
  TensorValues values(buffer.row_elements);
  loadElements(buffer.type, written->second.data(), {values.size(), sizeOf(buffer.type).value()},
               values.data());
  return values;
}

void RemoteRows::writeBytes(RemoteBufferId buffer, std::uint64_t row, const std::byte* from,
                            std::size_t bytes) {
  rows_[{buffer, row}].assign(from, from + bytes);
}

void RemoteRows::readBytes(RemoteBufferId buffer, std::uint64_t row, std::byte* to,
                           std::size_t bytes) const {
  const auto written = rows_.find({buffer, row});
  if (written == rows_.end()) {
    std::fill_n(to, bytes, std::byte{0});
  } else {
    std::copy_n(written->second.begin(), bytes, to);
  }
}

void RemoteRows::move(const Step& step) {
  const RowCopy& copy = step.remote;
  const std::uint64_t number = rowOf(step);
  const auto [row, is_new] = rows_.try_emplace({copy.buffer, number});
  if (is_new && copy.direction == RemoteDirection::Load) {
    throw GraphError(
        fmt::format("{}: wanted a row that was written before, found row {}", step.name, number));
  }
  if (is_new) {
    Bytes bytes;
    for (const RowPart& part : copy.parts) bytes += copy.bytesOf(part);
    row->second.resize(bytes.value());
  }
  for (const RowPart& part : copy.parts) movePart(copy, part, row->second.data(), step.name);
}

std::uint64_t RemoteRows::rowOf(const Step& step) {
  const RowCopy& copy = step.remote;
  if (copy.row_block == compiler::kNoBlock) return copy.row;
  if (ByteOwners* owners = memories_.owners()) {
    owners->expectWritten({copy.row_block, copy.row_offset, sizeOf(copy.row_type)}, step.name);
  }
  const std::byte* at = memories_.at(blocks_[indexOf(copy.row_block)]) + copy.row_offset.value();
  const double row = loadElement(copy.row_type, at);
  if (row < 0 || row >= static_cast<double>(copy.rows)) {
    throw GraphError(
        fmt::format("{}: wanted a row below {}, found row {}", step.name, copy.rows, row));
  }
  return static_cast<std::uint64_t>(row);
}

void RemoteRows::movePart(const RowCopy& copy, const RowPart& part, std::byte* row,
                          const std::string& name) {
  std::byte* const block = memories_.at(blocks_[indexOf(part.block)]);
  ByteOwners* const owners = memories_.owners();
  const bool loads = copy.direction == RemoteDirection::Load;
  forEachElement(part.walk, 0, part.walk.begin, [&](Bytes in_block, Bytes in_row) {
    std::byte* const here = block + in_block.value();
    std::byte* const there = row + in_row.value();
    std::memcpy(loads ? here : there, loads ? there : here, copy.element.value());
    if (owners == nullptr) return;
    const BlockBytes bytes{part.block, in_block, copy.element};
    if (loads) {
      owners->write(bytes);
    } else {
      owners->expectWritten(bytes, name);
    }
  });
}

}  // namespace ipusim::executor
