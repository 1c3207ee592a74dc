// SPDX-License-Identifier: Apache-2.0
#include "sim/report/timeline/trace_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error_boundary.h"
#include "base/text/json.h"

namespace ipusim::report {

namespace {

constexpr std::size_t kPart = 1 << 20;
constexpr std::uint64_t kPicosecondsPerSecond = 1'000'000'000'000;
constexpr std::uint64_t kPicosecondsPerMicrosecond = 1'000'000;
constexpr std::uint64_t kMicrosecondsPerSecond = 1'000'000;

/// Picoseconds alone would not fit 64 bits after half a year.
struct Time {
  std::uint64_t seconds;
  std::uint64_t picoseconds;  ///< less than a second
};

Time timeOf(Cycles cycles, std::uint64_t clock_hz) {
  const std::uint64_t rest = cycles.value() % clock_hz;
  const double part = static_cast<double>(rest) / static_cast<double>(clock_hz);
  const auto picoseconds = std::llround(part * static_cast<double>(kPicosecondsPerSecond));
  return {cycles.value() / clock_hz, static_cast<std::uint64_t>(picoseconds)};
}

Time difference(const Time& end, const Time& begin) {
  const bool borrows = end.picoseconds < begin.picoseconds;
  return {end.seconds - begin.seconds - (borrows ? 1 : 0),
          end.picoseconds + (borrows ? kPicosecondsPerSecond : 0) - begin.picoseconds};
}

/// As microseconds with six decimals.
void append(const Time& time, std::string& text) {
  const std::uint64_t microseconds =
      time.seconds * kMicrosecondsPerSecond + time.picoseconds / kPicosecondsPerMicrosecond;
  fmt::format_to(std::back_inserter(text), "{}.{:06}", microseconds,
                 time.picoseconds % kPicosecondsPerMicrosecond);
}

}  // namespace

std::string jsonString(const std::string& text) {
  return SortedJson(text).dump(-1, ' ', true, SortedJson::error_handler_t::replace);
}

TraceEvents::TraceEvents(double clock_hz, Sink sink)
    : clock_hz_(static_cast<std::uint64_t>(std::max(1LL, std::llround(clock_hz)))),
      sink_(std::move(sink)) {
  text_ = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
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
  const Time first = timeOf(slice.begin, clock_hz_);
  const auto out = std::back_inserter(text_);
  fmt::format_to(out, R"({{"ph":"X","name":{},"cat":"{}","pid":{},"tid":{},"ts":)", slice.name,
                 slice.category, track.process, track.thread);
  append(first, text_);
  text_ += ",\"dur\":";
  append(difference(timeOf(slice.end, clock_hz_), first), text_);
  fmt::format_to(out, R"(,"args":{{"begin_cycle":{},"cycles":{},"iterations":{})",
                 slice.begin.value(), excess(slice.end, slice.begin).value(), slice.iterations);
  if (slice.vertices > 0) fmt::format_to(out, R"(,"vertices":{})", slice.vertices);
  text_ += "}}";
}

void TraceEvents::count(std::uint32_t process, const char* name, Cycles when, Bytes value) {
  begin();
  fmt::format_to(std::back_inserter(text_), R"({{"ph":"C","name":"{}","pid":{},"tid":0,"ts":)",
                 name, process);
  append(timeOf(when, clock_hz_), text_);
  fmt::format_to(std::back_inserter(text_), R"(,"args":{{"bytes":{}}}}})", value.value());
}

void TraceEvents::finish(const std::string& other) {
  text_ += "\n],\"otherData\":" + other + "}\n";
  flush();
  if (failure_) std::rethrow_exception(failure_);
}

/// An observer must not throw, so a failure waits for finish().
void TraceEvents::flush() {
  if (!failure_) failure_ = failureOf([&] { sink_(text_); });
  text_.clear();
}

}  // namespace ipusim::report
