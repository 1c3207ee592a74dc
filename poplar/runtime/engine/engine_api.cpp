// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "base/text/message.h"
#include "ipusim/error.h"
#include "poplar/exceptions.hpp"
#include "poplar/runtime/engine/engine_data.h"
#include "poplar/runtime/engine/engine_run.h"
#include "poplar/runtime/engine/environment_options.h"
#include "poplar/runtime/engine/options.h"
#include "poplar/runtime/engine/virtual_clock.h"
#include "poplar/runtime/graph/element_bytes.h"

namespace poplar::detail {

void retain(ExecutableData* executable) {
  retained(executable);
}
void release(ExecutableData* executable) {
  released(executable);
}
void retain(EngineData* engine) {
  retained(engine);
}
void release(EngineData* engine) {
  released(engine);
}

namespace {

LoadedProgram& loadedOf(EngineData* engine) {
  if (engine->loaded) return *engine->loaded;
  throw tensor_io_state_error(
      "engine: wanted one that is loaded on a device (Engine::load), found one that is not");
}

const HostTensorState& hostTensor(const EngineData& engine, Text handle, TransferTo to) {
  const std::string wanted = stringOf(handle);
  std::vector<std::string> others;
  for (const HostTensorState& host : engine.state().host_tensors) {
    if (host.to != to) continue;
    if (host.handle == wanted) return host;
    others.push_back(host.handle);
  }
  throw stream_connection_error(fmt::format("handle {}: wanted one of createHost{}, found none{}",
                                            wanted, to == TransferTo::Host ? "Read" : "Write",
                                            ipusim::didYouMean(wanted, others))
                                    .c_str());
}

void checkSize(const HostTensorState& host, const HostRange& range) {
  if (range.end == nullptr) return;
  const auto bytes =
      static_cast<const std::byte*>(range.end) - static_cast<const std::byte*>(range.begin);
  const auto wanted = host.tensor->elements() * bytesOf(host.tensor->type);
  const auto exact = static_cast<std::ptrdiff_t>(wanted);
  const bool has_room = host.to == TransferTo::Host && bytes > exact;  // the rest stays as it is
  if (bytes == exact || has_room) return;
  throw tensor_io_state_error(
      fmt::format("handle {}: wanted {} bytes of the host, found {}", host.handle, wanted, bytes)
          .c_str());
}

StreamEnd& streamOf(EngineData* engine, Text handle) {
  const std::string wanted = stringOf(handle);
  std::vector<std::string> others;
  for (StreamEnd& stream : engine->streams) {
    if (stream.handle() == wanted) return stream;
    others.push_back(stream.handle());
  }
  throw stream_connection_error(
      fmt::format("stream {}: wanted a stream of the graph, found none of that handle{}", wanted,
                  ipusim::didYouMean(wanted, others))
          .c_str());
}

}  // namespace

ExecutableData* makeExecutable(GraphData* graph, const ProgramData* const* programs,
                               std::size_t count, const Options& options) {
  checkOptions(WithEnvironment(options).options());
  auto data = std::make_unique<ExecutableData>();
  data->state = std::make_shared<const GraphState>(*graph->state);
  for (std::size_t p = 0; p < count; ++p) data->programs.emplace_back(programs[p]);
  compile(*data);
  return data.release();
}

EngineData* makeEngine(ExecutableData* executable, const Options& of_program) {
  const WithEnvironment all(of_program);
  const Options options = all.options();
  checkOptions(options);
  auto engine = std::make_unique<EngineData>();
  engine->executable = Ref<ExecutableData>(executable);
  engine->prefetches = optionIs(options, "exchange.enablePrefetch", "true");
  engine->functional_steps =
      numberOption(options, "ipusim.functionalSteps", "IPUSIM_FUNCTIONAL_STEPS")
          .value_or(engine->functional_steps);
  if (optionIs(options, "ipusim.perfEstimates", "true")) {
    engine->cycles_from = CyclesFrom::Estimates;
  }
  const std::string file = textOption(options, "ipusim.recordFile", "IPUSIM_POPLAR_RECORD");
  if (!file.empty()) engine->record_file = std::filesystem::absolute(file).string();
  engine->records = !file.empty() || optionIs(options, "ipusim.record", "true");
  const bool allows_none = wordOption(options, "ipusim.unconnectedStreams",
                                      "IPUSIM_UNCONNECTED_STREAMS", {"error", "zeros"}) == 1;
  const Unconnected unconnected = allows_none ? Unconnected::Zeros : Unconnected::Refused;
  for (const StreamState& stream : engine->state().streams) {
    engine->streams.emplace_back(stream.handle, bytesOf(stream.type), stream.to, unconnected);
  }
  for (const HostFunctionState& function : engine->state().host_functions) {
    engine->host_calls.emplace_back(function, engine->state(), engine->streams);
  }
  return engine.release();
}

void load(EngineData* engine, const TargetData& target) {
  const TargetData& made_for = engine->state().target;
  if (target.ipus != made_for.ipus || target.tiles_per_ipu != made_for.tiles_per_ipu) {
    throw poplar_error(fmt::format("load: wanted a device of {} x {} tiles, as the graph was made "
                                   "for, found {} x {}",
                                   made_for.ipus, made_for.tiles_per_ipu, target.ipus,
                                   target.tiles_per_ipu)
                           .c_str());
  }
  try {
    engine->loaded = std::make_unique<LoadedProgram>(
        *engine->executable, std::max(1U, std::thread::hardware_concurrency()),
        engine->cycles_from);
  } catch (const ipusim::ConfigError& error) {
    throw link_error(error.what());
  }
  engine->profile_begin = ipusim::Cycles(0);
  if (engine->records) engine->loaded->clock.startRecord();
}

void run(EngineData* engine, std::uint32_t program, Text /*name*/) {
  const LoadedProgram& loaded = loadedOf(engine);
  const ExecutableData& data = *engine->executable;
  if (program >= data.programs.size()) {
    throw control_program_error(
        fmt::format("run: wanted a program below {}, found {}", data.programs.size(), program)
            .c_str());
  }
  const VirtualRun on_the_clock(
      [&] { return static_cast<double>(loaded.clock.end().value()) * 1e9 / clockOf(engine); });
  EngineRun(*engine).run(*data.played[program]);
}

void connectRange(EngineData* engine, Text handle, const HostRange& range) {
  streamOf(engine, handle).connect(range);
}

void connectCallback(EngineData* engine, Text handle, StreamCallback* callback,
                     void (*destroy)(StreamCallback*)) {
  streamOf(engine, handle).connect(std::shared_ptr<StreamCallback>(callback, destroy));
}

void connectHostFunction(EngineData* engine, Text handle, HostCallback* callback,
                         void (*destroy)(HostCallback*)) {
  const std::shared_ptr<HostCallback> owned(callback, destroy);
  const std::string wanted = stringOf(handle);
  std::vector<std::string> others;
  for (HostCall& call : engine->host_calls) {
    if (call.handle() == wanted) return call.connect(owned);
    others.push_back(call.handle());
  }
  throw stream_connection_error(
      fmt::format("host function {}: wanted one of the graph, found none of that handle{}", wanted,
                  ipusim::didYouMean(wanted, others))
          .c_str());
}

void readTensor(EngineData* engine, Text handle, const HostRange& to) {
  const HostTensorState& host = hostTensor(*engine, handle, TransferTo::Host);
  checkSize(host, to);
  loadedOf(engine).access.read(*host.tensor, static_cast<std::byte*>(to.begin));
}

void writeTensor(EngineData* engine, Text handle, const HostRange& from) {
  const HostTensorState& host = hostTensor(*engine, handle, TransferTo::Device);
  checkSize(host, from);
  loadedOf(engine).access.write(*host.tensor, static_cast<const std::byte*>(from.begin));
}

void copyRow(EngineData* engine, Text handle, void* row, std::uint64_t index, TransferTo to) {
  const std::string wanted = stringOf(handle);
  const auto& buffers = engine->state().remote_buffers;
  const auto found =
      std::find_if(buffers.begin(), buffers.end(),
                   [&wanted](const RemoteBufferState& b) { return b.handle == wanted; });
  if (found == buffers.end() || index >= found->rows) {
    throw stream_connection_error(
        fmt::format("remote buffer {}: wanted a row of a buffer of the graph, found row {}", wanted,
                    index)
            .c_str());
  }
  const auto buffer = static_cast<ipusim::RemoteBufferId>(found - buffers.begin());
  const std::size_t bytes = found->elements * bytesOf(found->type);
  auto& rows = loadedOf(engine).access.rows();
  if (to == TransferTo::Device) {
    rows.writeBytes(buffer, index, static_cast<const std::byte*>(row), bytes);
  } else {
    rows.readBytes(buffer, index, static_cast<std::byte*>(row), bytes);
  }
}

void setPrintSink(EngineData* engine, Sink sink) {
  engine->print = sink;
}

std::uint64_t cyclesOf(const EngineData* engine) {
  return engine->loaded ? engine->loaded->clock.end().value() : 0;
}

double clockOf(const EngineData* engine) {
  return engine->state().target.clock_hz;
}

void resetProfile(EngineData* engine) {
  LoadedProgram& loaded = loadedOf(engine);
  loaded.clock.forget();
  loaded.codelet_activity.forget();
  engine->profile_begin = loaded.clock.end();
  if (loaded.codelets) loaded.codelets->forgetLines();
}

}  // namespace poplar::detail
