// SPDX-License-Identifier: Apache-2.0
#include "sim/report/timeline/trace_events.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

namespace ipusim::run {

namespace {

constexpr std::size_t kPart = 1 << 20;
constexpr double kPicosecondsPerSecond = 1e12;
constexpr std::uint64_t kPicosecondsPerMicrosecond = 1'000'000;

/// Picoseconds as microseconds with six decimals.
struct Microseconds {
  std::uint64_t picoseconds;
};

void append(Microseconds time, std::string& text) {
  fmt::format_to(std::back_inserter(text), "{}.{:06}",
                 time.picoseconds / kPicosecondsPerMicrosecond,
                 time.picoseconds % kPicosecondsPerMicrosecond);
}

}  // namespace

std::string jsonString(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

TraceEvents::TraceEvents(double clock_hz, Sink sink) : clock_hz_(clock_hz), sink_(std::move(sink)) {
  text_ = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
}

std::uint64_t TraceEvents::picoseconds(Cycles cycles) const {
  const double time = static_cast<double>(cycles.value()) / clock_hz_ * kPicosecondsPerSecond;
  return static_cast<std::uint64_t>(std::llround(time));
}

void TraceEvents::begin() {
  if (text_.size() > kPart) flush();
  if (!first_) text_ += ",\n";
  first_ = false;
}

void TraceEvents::nameProcess(std::uint32_t process, const std::string& name) {
  begin();
  fmt::format_to(std::back_inserter(text_),
                 R"({{"ph":"M","name":"process_name","pid":{},"tid":0,"args":{{"name":{}}}}})",
                 process, jsonString(name));
}

void TraceEvents::nameThread(Track track, const std::string& name) {
  begin();
  fmt::format_to(std::back_inserter(text_),
                 R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}}}})",
                 track.process, track.thread, jsonString(name));
}

/// The end of a slice is rounded like the begin of the next one, so that they meet.
void TraceEvents::add(Track track, const Slice& slice) {
  if (slice.end <= slice.begin) return;
  begin();
  const std::uint64_t first = picoseconds(slice.begin);
  const auto out = std::back_inserter(text_);
  fmt::format_to(out, R"({{"ph":"X","name":{},"cat":"{}","pid":{},"tid":{},"ts":)", slice.name,
                 slice.category, track.process, track.thread);
  append(Microseconds{first}, text_);
  text_ += ",\"dur\":";
  append(Microseconds{picoseconds(slice.end) - first}, text_);
  fmt::format_to(out, R"(,"args":{{"begin_cycle":{},"cycles":{},"iterations":{})",
                 slice.begin.value(), excess(slice.end, slice.begin).value(), slice.iterations);
  if (slice.vertices > 0) fmt::format_to(out, R"(,"vertices":{})", slice.vertices);
  text_ += "}}";
}

void TraceEvents::count(std::uint32_t process, const char* name, Cycles when, Bytes value) {
  begin();
  fmt::format_to(std::back_inserter(text_), R"({{"ph":"C","name":"{}","pid":{},"tid":0,"ts":)",
                 name, process);
  append(Microseconds{picoseconds(when)}, text_);
  fmt::format_to(std::back_inserter(text_), R"(,"args":{{"bytes":{}}}}})", value.value());
}

void TraceEvents::finish(const std::string& other) {
  text_ += "\n],\"otherData\":" + other + "}\n";
  flush();
  if (failure_) std::rethrow_exception(failure_);
}

/// An observer must not throw, so a failure waits for finish().
void TraceEvents::flush() {
  if (!failure_) {
    try {
      sink_(text_);
    } catch (...) {
      failure_ = std::current_exception();
    }
  }
  text_.clear();
}

}  // namespace ipusim::run
