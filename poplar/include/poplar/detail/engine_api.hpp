// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "poplar/HostFunctionCallback.hpp"
#include "poplar/StreamCallback.hpp"
#include "poplar/detail/graph_api.hpp"

namespace poplar {
namespace detail {

/// A compiled graph with its programs.
struct ExecutableData;
void retain(ExecutableData* executable);
void release(ExecutableData* executable);

/// A compiled graph in the memories of a device.
struct EngineData;
void retain(EngineData* engine);
void release(EngineData* engine);

/// Memory of the host; a null `end` means that nobody said how much there is.
struct HostRange {
  void* begin;
  void* end;
};

/// Names and values of options by turns.
struct Options {
  const Text* texts;
  std::size_t count;
};

ExecutableData* makeExecutable(GraphData* graph, const ProgramData* const* programs,
                               std::size_t count, const Options& options);
/// Bytes of the head of a saved executable.
constexpr std::size_t kExecutableHead = 52;
/// Writes the graph and the programs of the executable.
void saveExecutable(const ExecutableData* executable, Sink to);
/// How many bytes a file has behind that head. Throws file_load_error where it is none.
std::size_t bytesBehind(Text head);
/// Compiles what saveExecutable() wrote. Throws file_load_error for anything else.
ExecutableData* loadExecutable(Text head, Text bytes);
EngineData* makeEngine(ExecutableData* executable, const Options& of_program);
void load(EngineData* engine, const TargetData& target);
void run(EngineData* engine, std::uint32_t program, Text name);

void connectRange(EngineData* engine, Text handle, const HostRange& range);
/// The engine deletes the callback by `destroy`.
void connectCallback(EngineData* engine, Text handle, StreamCallback* callback,
                     void (*destroy)(StreamCallback*));
/// Replaces the callback of a host function.
void connectHostFunction(EngineData* engine, Text handle, HostCallback* callback,
                         void (*destroy)(HostCallback*));
void readTensor(EngineData* engine, Text handle, const HostRange& to);
void writeTensor(EngineData* engine, Text handle, const HostRange& from);
/// `to` says whether the row of the buffer is read or written.
void copyRow(EngineData* engine, Text handle, void* row, std::uint64_t index, TransferTo to);

/// Where PrintTensor writes; standard error without it.
void setPrintSink(EngineData* engine, Sink sink);
/// Cycles of all runs so far.
std::uint64_t cyclesOf(const EngineData* engine);
double clockOf(const EngineData* engine);
void resetProfile(EngineData* engine);
/// The text of printProfileSummary.
void profileSummary(const EngineData* engine, const Options& options, Sink sink);
/// The profile as an object of JSON.
void profileJson(const EngineData* engine, Sink sink);

}  // namespace detail
}  // namespace poplar
