// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>

#include "poplar/ArrayRef.hpp"
#include "poplar/DataStream.hpp"
#include "poplar/Device.hpp"
#include "poplar/Executable.hpp"
#include "poplar/Graph.hpp"
#include "poplar/HostFunctionCallback.hpp"
#include "poplar/OptionFlags.hpp"
#include "poplar/ProfileValue.hpp"
#include "poplar/Program.hpp"
#include "poplar/StreamCallback.hpp"
#include "poplar/exceptions.hpp"

/// The namespace of a library that reads profiles, which is not part of this project: programs name
/// it without a header of that library.
namespace pva {
class Report;
}  // namespace pva

namespace poplar {

/// Runs the programs of a compiled graph on a device. The numbers are computed; the cycles are
/// modelled.
class Engine {
 public:
  /// A moment of modelled time.
  struct TimerTimePoint {
    std::uint64_t cycles;
  };

  Engine(const Graph& graph, ArrayRef<program::Program> programs, const OptionFlags& options = {},
         const ProgressFunc& progress = ProgressFunc(), const DebugContext& = {})
      : Engine(compileGraph(graph, programs, options, progress), options) {}
  Engine(const Graph& graph, const program::Program& only, const OptionFlags& options = {},
         const ProgressFunc& progress = ProgressFunc(), const DebugContext& = {})
      : Engine(compileGraph(graph, ArrayRef<program::Program>(&only, 1), options, progress),
               options) {}
  explicit Engine(Executable&& executable, const OptionFlags& options = {}) {
    const std::vector<detail::Text> texts = detail::textsOf(options);
    data_ = detail::Handle<detail::EngineData>(
        detail::makeEngine(executable.data(), detail::Options{texts.data(), texts.size()}));
  }
  Engine(const Engine&) = delete;
  Engine(Engine&&) = default;
  Engine& operator=(const Engine&) = delete;
  Engine& operator=(Engine&&) = default;

  void prepare(const Device&) {}
  void deploy() {}
  void load(const Device& device) { detail::load(data(), device.getTarget().data()); }
  void run(unsigned index = 0, const std::string& name = "") {
    detail::run(data(), index, detail::textOf(name));
  }
  void loadAndRun(const Device& device, unsigned index = 0) {
    load(device);
    run(index);
  }
  void stop() {}

  void connectStream(const StringRef& handle, void* begin, void* end) {
    detail::connectRange(data(), detail::textOf(handle), detail::HostRange{begin, end});
  }
  void connectStream(const StringRef& handle, void* begin) {
    connectStream(handle, begin, nullptr);
  }
  void connectStream(const DataStream& stream, void* begin, void* end) {
    connectStream(StringRef(stream.handle()), begin, end);
  }
  void connectStream(const DataStream& stream, void* begin) {
    connectStream(StringRef(stream.handle()), begin);
  }
  void connectStreamToCallback(const StringRef& handle, StreamCallbackHandle callback) {
    detail::connectCallback(data(), detail::textOf(handle), callback.release(),
                            [](StreamCallback* owned) { delete owned; });
  }
  void connectStreamToCallback(const StringRef& handle, unsigned /*replica*/,
                               StreamCallbackHandle callback) {
    connectStreamToCallback(handle, std::move(callback));
  }
  void connectStreamToCallback(const DataStream& stream, StreamCallbackHandle callback) {
    connectStreamToCallback(StringRef(stream.handle()), std::move(callback));
  }

  /// There is one replica, so `replica` is 0.
  void connectHostFunction(const StringRef& handle, unsigned replica, HostCallbackHandle callback) {
    if (replica != 0) throw stream_connection_error("connectHostFunction: wanted replica 0");
    detail::connectHostFunction(data(), detail::textOf(handle), callback.release(),
                                [](HostCallback* owned) { delete owned; });
  }

  void readTensor(const StringRef& handle, void* begin, void* end) {
    detail::readTensor(data(), detail::textOf(handle), detail::HostRange{begin, end});
  }
  void readTensor(const StringRef& handle, void* begin) { readTensor(handle, begin, nullptr); }
  void writeTensor(const StringRef& handle, const void* begin, const void* end) {
    detail::writeTensor(data(), detail::textOf(handle),
                        detail::HostRange{const_cast<void*>(begin), const_cast<void*>(end)});
  }
  void writeTensor(const StringRef& handle, const void* begin) {
    writeTensor(handle, begin, nullptr);
  }
  void copyToRemoteBuffer(const void* row, const std::string& handle, std::uint64_t index,
                          unsigned /*replica*/ = 0) {
    detail::copyRow(data(), detail::textOf(handle), const_cast<void*>(row), index,
                    detail::TransferTo::Device);
  }
  void copyFromRemoteBuffer(const std::string& handle, void* row, std::uint64_t index,
                            unsigned /*replica*/ = 0) {
    detail::copyRow(data(), detail::textOf(handle), row, index, detail::TransferTo::Host);
  }

  /// The stream must outlive the runs.
  void setPrintTensorStream(std::ostream& out) {
    detail::setPrintSink(data(), detail::Sink{&out, [](void* to, detail::Text text) {
                                                static_cast<std::ostream*>(to)->write(
                                                    text.data,
                                                    static_cast<std::streamsize>(text.size));
                                              }});
  }
  void setPrintStream(std::ostream& out) { setPrintTensorStream(out); }

  TimerTimePoint getTimeStamp() { return TimerTimePoint{detail::cyclesOf(data())}; }
  /// The modelled time between two moments.
  std::string reportTiming(const TimerTimePoint& start, const TimerTimePoint& end) {
    const std::uint64_t cycles = end.cycles - start.cycles;
    const double seconds = static_cast<double>(cycles) / detail::clockOf(data());
    return std::to_string(cycles) + " cycles, " + std::to_string(seconds * 1e6) + " microseconds";
  }
  // These two have no effect: the profile always covers all runs.
  void enableExecutionProfiling() {}
  void disableExecutionProfiling() {}
  void resetExecutionProfile() { detail::resetProfile(data()); }

  void printProfileSummary(std::ostream& out, const OptionFlags& options = {}) {
    const std::vector<detail::Text> texts = detail::textsOf(options);
    std::string text;
    detail::profileSummary(data(), detail::Options{texts.data(), texts.size()},
                           detail::sinkTo(text));
    out << text;
  }
  /// The whole profile. It has the parts of the graph and those of the runs.
  ProfileValue getProfile() { return ProfileValue(getProfileAsJson()); }
  ProfileValue getGraphProfile() { return getProfile(); }
  ProfileValue getExecutionProfile() { return getProfile(); }
  /// The profile as JSON.
  std::string getProfileAsJson() {
    std::string text;
    detail::profileJson(data(), detail::sinkTo(text));
    return text;
  }

  detail::EngineData* data() const { return data_.get(); }

 private:
  detail::Handle<detail::EngineData> data_;
};

}  // namespace poplar
