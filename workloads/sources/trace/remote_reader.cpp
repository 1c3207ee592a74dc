// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include "models/ipu/machine/element_words.h"
#include "workloads/sources/trace/graph_reader.h"
#include "workloads/sources/trace/trace_words.h"

namespace ipusim::workloads {

void ProgramReader::remoteBuffer(const JsonRecord& line) {
  const JsonValue name = line.at("remote_buffer");
  parts_.keep(1, name);
  const ElementType type = line.at("type").word(kElementWords);
  const std::uint64_t elements = line.at("elements").whole(1, parts_.limits.number);
  const std::uint64_t rows = line.at("rows").whole(1, parts_.limits.number);
  parts_.trace.graph.addRemoteBuffer(type, elements, rows, std::string(name.text()));
  parts_.remote_buffers.add(name.text());
}

void ProgramReader::remoteCopy(const JsonRecord& line) {
  const JsonValue name = line.at("remote_copy");
  parts_.keep(1, name);
  RemoteCopy copy{std::string(name.text()), line.at("direction").word(kRemoteDirectionWords),
                  parts_.remote_buffers.at(line.at("buffer")), std::uint64_t{0},
                  tensorOf(line.at("tensor"))};
  const JsonValue row = line.at("row");
  if (row.isArray() || row.isText()) {
    copy.row = oneElement(row);
  } else {
    copy.row = row.whole(0, parts_.limits.number);
  }
  parts_.remote_copies.add(name.text());
  parts_.in_order.push_back(parts_.trace.graph.remoteCopy(std::move(copy)));
}

void ProgramReader::ioTiles(const JsonRecord& line) {
  const JsonValue value = line.at("io_tiles");
  if (!parts_.trace.graph.ioTiles().empty()) throw value.error("one such line");
  const TileList list = parts_.tiles(value);
  parts_.keep(list.size(), value);
  std::vector<TileId> tiles;
  list.forEach([&](std::uint32_t tile) { tiles.emplace_back(tile); });
  parts_.trace.graph.setIoTiles(std::move(tiles));
}

/// The elements of one region or of several, one after the other.
Tensor ProgramReader::tensorOf(const JsonValue& value) const {
  const View view = regions_.view(value);
  parts_.keep(view.size(), value);
  for (const Section& section : view) regions_.expectInside(section, 1, 0, value);
  return flatTensor(view, parts_.trace.graph.variable(view.front().variable).type);
}

}  // namespace ipusim::workloads
