// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "ipusim/graph.h"
#include "ipusim/machine.h"
#include "workloads/sources/trace/json_text.h"
#include "workloads/sources/trace/trace.h"

namespace ipusim::workloads {

/// Writes [variable, begin, count, stride, ...].
void writeSection(const Section& section, JsonText& json);

/// Writes the first line of a trace.
void writeHeader(const TraceHeader& header, JsonText& json);

/// Writes the line of an execution record.
void writeRecord(const ExecutionRecord& record, JsonText& json);

/// Writes the line of a variable. `below` is 0 where the host's values have no such bound.
void writeVariable(const Variable& variable, std::uint64_t below, JsonText& json);

/// A vertex type as JSON, without the name that a trace gives it.
std::string typeText(const VertexType& type, const Architecture& machine);

/// Writes each vertex type before its first use.
class TypeWriter {
 public:
  /// Appends to `text`. The arguments must outlive this.
  TypeWriter(std::string& text, const Architecture& machine) : text_(text), machine_(machine) {}

  /// The number of the type, whose line is now written.
  std::size_t numberOf(const std::shared_ptr<const VertexType>& type);
  /// The name that a trace gives to a type.
  static std::string nameOf(std::size_t number);

 private:
  std::string& text_;
  const Architecture& machine_;
  std::unordered_map<std::shared_ptr<const VertexType>, std::size_t> numbers_;
  std::unordered_map<std::string, std::size_t> numbers_by_text_;
};

/// Writes the types of a compute set that are new, the line of the set, and lines of its vertices.
void writeComputeSet(const ComputeSet& set, TypeWriter& types, JsonText& json);

/// Writes the line of a copy, and lines of its moves.
void writeCopy(const CopyStep& copy, JsonText& json);

/// Writes the line of a stream.
void writeStream(const HostStream& stream, JsonText& json);

/// Writes the line of a remote buffer, and that of a remote copy.
void writeRemoteBuffer(const RemoteBuffer& buffer, JsonText& json);
void writeRemoteCopy(const RemoteCopy& copy, JsonText& json);

/// Writes the line of the I/O tiles.
void writeIoTiles(const std::vector<TileId>& tiles, JsonText& json);

/// Writes the steps of `program` as an array.
void writeSteps(const Program& program, JsonText& json);

}  // namespace ipusim::workloads
